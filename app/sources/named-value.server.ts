import type { MqttSettings, NameSetting } from '../config/source-settings.server';
import { isNoValue } from '../ingest/parse-json';
import type { MetricField } from '../readings/metric';
import { likelyMetric, mentionsMetric, type NamedMetric, readName } from '../readings/metric-names.js';
import { cannotConvert, conversionFrom, likelyUnit } from '../readings/metric-units.js';

export type NameSettings = MqttSettings['names'];

/** A value under a name that the sender chose. */
export interface SentValue {
  /** The sensor that the topic names. */
  sensor: string;
  /** The name in the topic or message. `MQTT_NAMES` refers to it. */
  name: string;
  /** The name with its device, such as `SGP40 VOC`; by default `name`. */
  fullName?: string;
  /** A number, or a number as text. */
  value: unknown;
  /** The unit that the message says. */
  unit?: string;
  /** The metrics whose unit the sender's documentation says. */
  documented?: readonly MetricField[];
}

export type NamedValue =
  | { kind: 'value'; field: MetricField; value: number; setting?: NameSetting; named?: NamedMetric }
  /** A value that wasn't measured, such as `nan`. */
  | { kind: 'none' }
  /** `reason` is for the log, and the same for each value of the name. `looksLike` is the metric that the name may mean. */
  | { kind: 'refused'; reason: string; looksLike: MetricField | null };

/** Decides which metric a value is of, and converts it to the metric's unit. What is ambiguous is refused with the setting for it. */
export function readValue(
  names: NameSettings,
  { sensor, name, fullName = name, value: sent, unit: sentUnit, documented = [] }: SentValue,
): NamedValue {
  const setting = names.get(`${sensor}/${name}`);
  const named = setting ? null : readName(fullName);
  const field = setting?.field ?? named?.field;
  const means = (meaning: string) => `${sensor}/${name}=${meaning}`;
  const refuse = (reason: string): NamedValue => ({
    kind: 'refused',
    reason: `"${name}" ${reason}`,
    looksLike: field ?? likelyMetric(fullName),
  });
  if (field === undefined) {
    const hint = mentionsMetric(fullName)
      ? `. To take it as one, set MQTT_NAMES=${means(likelyMetric(fullName) ?? 'METRIC')}`
      : '';
    return refuse(`is not a metric that airboard keeps${hint}`);
  }
  if (isNoValue(sent)) return { kind: 'none' };
  const text = typeof sent === 'string' ? sent.trim() : sent;
  const number =
    typeof text === 'number' || (typeof text === 'string' && text !== '') ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) return refuse('is not a number');
  if (named?.or && !documented.includes(field)) {
    return refuse(`may be in PPB or an index: set MQTT_NAMES=${means(field)}, or ${means(named.or)}`);
  }
  const unit = setting ? setting.unit : (named?.unit ?? sentUnit);
  if (unit === undefined) {
    const other = setting || documented.includes(field) ? null : likelyUnit(field, number);
    const settings = `MQTT_NAMES=${means(`${field}:${other}`)}, or ${means(field)}`;
    if (other) return refuse(`has no unit and may be in ${other}: set ${settings}`);
  }
  const convert = unit === undefined ? null : conversionFrom(unit, field);
  if (convert === undefined) return refuse(cannotConvert(unit ?? '', field));
  return {
    kind: 'value',
    field,
    value: convert ? rounded(convert(number)) : number,
    ...(setting && { setting }),
    ...(named && { named }),
  };
}

/** Rounds a converted value to two decimals, which is more than a sensor measures. */
const rounded = (value: number) => Math.round(value * 100) / 100;
