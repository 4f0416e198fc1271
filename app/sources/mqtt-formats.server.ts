import { isEspHomeTopic } from '../config/source-settings.server';
import { membersOf, refuse, type Translate, type Translation } from '../ingest/devices';
import { METRICS } from '../readings/metric';
import { metricNamed } from '../readings/metric-names.js';
import type { SentNumber } from './join-numbers.server';

/** The content of an MQTT message. Its format follows from the subscription's topic filter. */
export type MqttMessage =
  /** A post in airboard's own format: a reading, or an array of them. */
  | { kind: 'post'; translate: Translate }
  /** The members of a reading. */
  | { kind: 'reading'; value: Record<string, unknown> }
  /** One number, to be joined with others of the same sensor. */
  | ({ kind: 'number' } & SentNumber)
  /** Nothing to store. `reason` is for the log, or null for messages that devices normally send. */
  | { kind: 'ignored'; reason: string | null };

/** Returns true if a topic filter selects a topic by MQTT's rules. Supports only the wildcard `+`. */
export function matchesTopic(filter: string, topic: string): boolean {
  const [expected, levels] = [filter.split('/'), topic.split('/')];
  return (
    levels.length === expected.length && expected.every((level, i) => level === '+' || level === levels[i])
  );
}

/** The largest message of Zigbee2MQTT or Tasmota in bytes, as large as a post of one reading. */
const JSON_LIMIT = 16 * 1024;
const RETAINED = 'is retained by the broker and has no time, so it may be of any age';

/**
 * Reads a message by its topic and the filter that selected it. The level at the first `+` of the filter names the
 * sensor, even if the message has another name. Without a `+`, NAME does.
 *
 * - `zigbee2mqtt/NAME`: the state of a Zigbee device, with any metrics.
 * - `tele/NAME/SENSOR`: Tasmota's sensors, an object for each.
 * - `NAME/sensor/METRIC/state`: ESPHome, a bare number for each metric.
 * - Any other: airboard's own format.
 */
export function readMessage(
  filter: string,
  topic: string,
  payload: Buffer | string,
  isRetained: boolean,
): MqttMessage {
  const levels = topic.split('/');
  const wildcard = filter.split('/').indexOf('+');
  const named = wildcard < 0 ? undefined : levels[wildcard];
  if (isEspHomeTopic(filter)) {
    const isMetric = wildcard === levels.length - 2;
    const sensor = named === undefined || isMetric ? levels.slice(0, -3).join('/') : named;
    return readNumber(sensor, levels.at(-2) ?? '', payload, isRetained);
  }
  if (levels[0] === 'zigbee2mqtt') {
    return readState(named ?? levels.slice(1).join('/'), payload, isRetained, zigbeeMetrics);
  }
  if (levels[0] === 'tele' && levels.at(-1) === 'SENSOR') {
    return readState(named ?? levels.slice(1, -1).join('/'), payload, isRetained, tasmotaMetrics);
  }
  return { kind: 'post', translate: (sent) => ownReading(sent, named, isRetained) };
}

/**
 * Translates airboard's own format. A retained message arrives again with every subscription, so it needs its own time.
 */
function ownReading(sent: unknown, sensor: string | undefined, isRetained: boolean): Translation {
  const members = membersOf(sent);
  if (isRetained && (members.created_at ?? null) === null) {
    return refuse('created_at', 'is missing in a retained message, which may be of any age');
  }
  return { ok: true, value: sensor === undefined ? members : { ...members, sensor } };
}

/** The temperature of the processor, as from ESPHome's platform `internal_temperature`. */
const OF_PROCESSOR = /(^|_)(internal|processor|cpu|chip|core|mcu)_temp(erature)?$/i;

/** Reads a number from ESPHome, which sends `nan` for no value. */
function readNumber(
  sensor: string,
  metric: string,
  payload: Buffer | string,
  isRetained: boolean,
): MqttMessage {
  const field = OF_PROCESSOR.test(metric) ? null : metricNamed(metric);
  if (!field) return { kind: 'ignored', reason: `"${metric}" is not a metric that airboard keeps` };
  if (isRetained) return { kind: 'ignored', reason: RETAINED };
  const text = String(payload).trim();
  if (/^-?nan$/i.test(text)) return { kind: 'ignored', reason: null };
  const value = Number(text);
  return text !== '' && Number.isFinite(value)
    ? { kind: 'number', sensor, name: metric, field, value }
    : { kind: 'ignored', reason: 'is not a number' };
}

function readState(
  sensor: string,
  payload: Buffer | string,
  isRetained: boolean,
  metricsOf: (members: Record<string, unknown>) => Record<string, unknown>,
): MqttMessage {
  if (isRetained) return { kind: 'ignored', reason: RETAINED };
  if (payload.length > JSON_LIMIT) return { kind: 'ignored', reason: `is over ${JSON_LIMIT / 1024} KiB` };
  let sent: unknown;
  try {
    sent = JSON.parse(String(payload));
  } catch {
    return { kind: 'ignored', reason: 'is not JSON' };
  }
  const values = metricsOf(membersOf(sent));
  if (Object.keys(values).length === 0) {
    return { kind: 'ignored', reason: 'has no metric that airboard keeps' };
  }
  return { kind: 'reading', value: { co2: null, voc: null, ...values, sensor } };
}

/** Zigbee2MQTT uses airboard's names. A value that the device hasn't reported yet is null. */
function zigbeeMetrics(members: Record<string, unknown>): Record<string, unknown> {
  const known = METRICS.filter(({ field }) => (members[field] ?? null) !== null);
  return Object.fromEntries(known.map(({ field }) => [field, members[field]]));
}

/**
 * The names of Tasmota's members, from its drivers xsns_*.ino. `eCO2` is left out, because it is estimated from VOC.
 */
const TASMOTA: Record<string, string> = {
  CarbonDioxide: 'co2',
  TVOC: 'voc',
  'PM2.5': 'pm25',
  PM10: 'pm10',
  Temperature: 'temperature',
  Humidity: 'humidity',
  Pressure: 'pressure',
};

/**
 * For Sensirion's SGP40, SGP41, SEN5x and SEN6x, the VOC and NOx values in Tasmota are indexes. They are 0 until the
 * sensor is warm.
 */
const TASMOTA_INDEX: Record<string, string> = {
  ...TASMOTA,
  AirQuality: 'voc_index',
  VOC: 'voc_index',
  TVOC: 'voc_index',
  NOX: 'nox_index',
  NOx: 'nox_index',
};
const HAS_INDEX = /^(SGP4|SEN[56])/;

/** These sensors are warmer than the air, so another sensor's temperature is preferred. */
const IS_WARM = /^(SCD|MHZ|SENSEAIR|BMP|SGP|SEN[56])/;
/** The object with the processor's temperature. */
const IS_PROCESSOR = /^ESP32/;

const MMHG_IN_HPA = 1.333_224;
const INHG_IN_HPA = 33.863_886;
const PRESSURE_UNITS: Record<string, number> = { mmHg: MMHG_IN_HPA, inHg: INHG_IN_HPA };

function tasmotaMetrics(members: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const sensors = Object.entries(members).filter(([name]) => !IS_PROCESSOR.test(name));
  sensors.sort(([a], [b]) => Number(IS_WARM.test(a)) - Number(IS_WARM.test(b)));
  for (const [name, sensor] of sensors) {
    const names = HAS_INDEX.test(name) ? TASMOTA_INDEX : TASMOTA;
    for (const [member, value] of Object.entries(membersOf(sensor))) {
      const field = Object.hasOwn(names, member) ? names[member] : undefined;
      if (field === undefined || value === null || (value === 0 && field.endsWith('_index'))) continue;
      values[field] ??= value;
    }
  }
  const { temperature, pressure } = values;
  if (members.TempUnit === 'F' && typeof temperature === 'number') values.temperature = celsius(temperature);
  const unit = PRESSURE_UNITS[String(members.PressureUnit)];
  if (unit !== undefined && typeof pressure === 'number') values.pressure = rounded(pressure * unit);
  return values;
}

/** Rounds a converted value to two decimals, the most that Tasmota sends. */
const rounded = (value: number) => Math.round(value * 100) / 100;
const celsius = (fahrenheit: number) => rounded(((fahrenheit - 32) * 5) / 9);
