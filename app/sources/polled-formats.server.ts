/** Reads the answers of polled devices: formats that airboard knows, and any other by the paths in `POLL_URLS`. */
import type { MetricPath } from '../config/poll-settings.server';
import { isObject, membersOf, type Names, pickMetrics, translateAirGradient } from '../ingest/devices';
import { isNoValue } from '../ingest/parse-json';
import { METRICS, type MetricField, metricOf } from '../readings/metric';
import { readName } from '../readings/metric-names.js';
import { conversionFrom, likelyUnit } from '../readings/metric-units.js';

type Members = Record<string, unknown>;

/** The members of a reading in an answer, or why it has none. Texts are the same for each answer with the same fault. */
export type ReadAnswer =
  | {
      ok: true;
      value: Members;
      /** Why some values aren't taken. */
      remarks: string[];
      /** The time of the measurement by the device's clock, to recognize an answer that is repeated. */
      time?: unknown;
    }
  | { ok: false; problem: string };

export interface PolledFormat {
  name: string;
  /** Returns true if an answer has this format. */
  fits(answer: Members): boolean;
  read(answer: unknown): ReadAnswer;
}

/** `/measures/current` of an AirGradient monitor. */
export const AIRGRADIENT_FORMAT: PolledFormat = {
  name: 'AirGradient',
  fits: (answer) => 'serialno' in answer && translateAirGradient(answer).ok,
  read(answer) {
    const translation = translateAirGradient(answer);
    if (translation.ok) return { ok: true, value: translation.value, remarks: [] };
    const [{ field, detail } = { field: '', detail: 'has no values' }] = translation.errors;
    return { ok: false, problem: `${field} ${detail}` };
  },
};

/**
 * `/air-data/latest` of an Awair with its Local API. Temperature is in °C whatever the app shows, and VOC in PPB. `co2_est` and
 * `pm10_est` are estimates, and the others are raw signals.
 *
 * Source: support.getawair.com, "Awair Element Local API Feature"; answers of an Element.
 */
const AWAIR_FORMAT: PolledFormat = {
  name: 'Awair',
  fits: (answer) => ['score', 'temp', 'humid'].every((name) => name in answer),
  read(answer) {
    const members = membersOf(answer);
    const values = pickMetrics(members, AWAIR);
    if (!values) return { ok: false, problem: 'has no value yet' };
    return { ok: true, value: values, remarks: [], time: members.timestamp };
  },
};

const AWAIR: Names = {
  co2: ['co2'],
  voc: ['voc'],
  pm25: ['pm25'],
  temperature: ['temp'],
  humidity: ['humid'],
  noise: ['spl_a'],
  light: ['lux'],
};

/**
 * `/json` of a PurpleAir: averages of two minutes. Outdoor models have two counters of particles, whose mean is taken. Temperature and
 * humidity are those in the housing. `gas_680` is a signal on a scale of its own.
 *
 * Source: community.purpleair.com, "Sensor JSON Documentation"; answers of firmware 6.03 and 7.04.
 */
const PURPLEAIR_FORMAT: PolledFormat = {
  name: 'PurpleAir',
  fits: (answer) => 'SensorId' in answer && Object.values(PURPLEAIR_COUNTERS).some((name) => name in answer),
  read(answer) {
    const members = membersOf(answer);
    const value = pickMetrics(members, PURPLEAIR) ?? {};
    const fahrenheit = numberOf(value.temperature);
    if (fahrenheit !== null) value.temperature = conversionFrom('°F', 'temperature')?.(fahrenheit);
    const remarks: string[] = [];
    for (const [field, name] of Object.entries(PURPLEAIR_COUNTERS)) {
      const counted = [members[name], members[`${name}_b`]].filter((each) => typeof each === 'number');
      const [a = 0, b = a] = counted;
      if (counted.length > 0 && isPair(a, b)) value[field] = Math.round(50 * (a + b)) / 100;
      else if (counted.length > 0) {
        remarks.push(`its two counters don't agree, so ${field} isn't taken: clean it, or replace a counter`);
      }
    }
    if (Object.keys(value).length === 0) return { ok: false, problem: 'has no value yet' };
    return {
      ok: true,
      value: { co2: null, voc: null, ...value, sensor: members.Geo ?? members.SensorId },
      remarks,
    };
  },
};

const PURPLEAIR: Names = {
  temperature: ['current_temp_f', 'current_temp_f_680'],
  humidity: ['current_humidity', 'current_humidity_680'],
  pressure: ['pressure', 'pressure_680'],
};

/** In the air of the place (`atm`) in µg/m³; `cf_1` is for calibration in a factory. The second counter has `_b` in addition. */
const PURPLEAIR_COUNTERS: Partial<Record<MetricField, string>> = {
  pm1: 'pm1_0_atm',
  pm25: 'pm2_5_atm',
  pm10: 'pm10_0_atm',
};

/** Counters that differ by more than 5 µg/m³ and 70 % aren't used: US EPA, sensortoolkit, after doi:10.5194/amt-14-4617-2021. */
const isPair = (a: number, b: number) => Math.abs(a - b) <= Math.max(5, (0.7 * (a + b)) / 2);

const FORMATS = [AIRGRADIENT_FORMAT, AWAIR_FORMAT, PURPLEAIR_FORMAT];

/** Returns the format that an answer has. */
export const formatOf = (answer: unknown): PolledFormat | undefined =>
  FORMATS.find(({ fits }) => fits(membersOf(answer)));

/** Reads an answer by the paths of its metrics. */
export function readPaths(answer: unknown, paths: readonly MetricPath[]): ReadAnswer {
  const value: Members = { co2: null, voc: null };
  const remarks: string[] = [];
  for (const { field, unit, path } of paths) {
    const sent = valueAt(answer, path.replace(/\[(\d+)\]/g, '.$1').split('.'));
    const number = numberOf(sent);
    const other = unit === undefined && number !== null && likelyUnit(field, number);
    if (sent === undefined) remarks.push(`"${path}" is missing`);
    else if (isNoValue(sent)) value[field] = null;
    else if (number === null) remarks.push(`"${path}" isn't a number`);
    else if (other) {
      const own = metricOf(field).unit;
      remarks.push(
        `"${path}" may be in ${other}: write ${keyOf(field, other)}=${path}, or ${keyOf(field, own)}=${path} if it is in ${own}`,
      );
    } else value[field] = (unit === undefined ? null : conversionFrom(unit, field))?.(number) ?? number;
  }
  if (Object.values(value).some((each) => each !== null)) return { ok: true, value, remarks };
  return { ok: false, problem: remarks.join(', and ') || 'has no value' };
}

/** Names a metric with its unit, such as `temperature_f` and `radon_pcil`. */
const keyOf = (field: MetricField, unit: string) =>
  `${field}_${unit
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')}`;

/** Returns a finite number, also from text; null for anything else. */
function numberOf(sent: unknown): number | null {
  if (typeof sent !== 'number' && (typeof sent !== 'string' || sent.trim() === '')) return null;
  return Number.isFinite(Number(sent)) ? Number(sent) : null;
}

/** Returns the value at a path. A name may have dots, such as `pm2.5`: the longest one counts. */
function valueAt(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return value;
  if (!isObject(value)) return undefined;
  for (let end = names.length; end > 0; end--) {
    const name = names.slice(0, end).join('.');
    const found = Object.hasOwn(value, name) ? valueAt(value[name], names.slice(end)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The most numbers of an unknown answer to look at, and the depth of the deepest. */
const MOST_NUMBERS = 200;
const DEEPEST = 8;
/** The most numbers to name. */
const NAMED = 8;

/** Returns what to write for an answer that has no known format, with the metrics that its names mean. */
export function unknownFormat(answer: unknown): string {
  const numbers = [...numbersIn(answer)];
  const keys = new Map<MetricField, string>();
  for (const { path, name, number } of numbers) {
    const named = readName(name);
    if (!named || keys.has(named.field) || (!named.unit && hasOpenUnit(named.field))) continue;
    const unit = named.unit ?? likelyUnit(named.field, number);
    const key = unit ? keyOf(named.field, unit) : named.field;
    keys.set(named.field, `${key}=${path.split('.').map(encodeURIComponent).join('.')}`);
  }
  const known = FORMATS.map(({ name }) => name).join(', ');
  const advice = 'write behind the address where each metric is';
  const start = `sends a format that airboard doesn't know (it knows ${known}): ${advice}`;
  if (keys.size > 0) return `${start}, likely #${[...keys.values()].join('&')}`;
  const named = numbers.slice(0, NAMED).map(({ path }) => path);
  const numbersNamed = named.length > 0 ? `. Its numbers are ${named.join(', ')}` : '. It has no numbers';
  return `${start}, such as #co2=data.co2&temperature=data.temp. The metrics are ${METRICS.map(({ field }) => field).join(', ')}${numbersNamed}`;
}

/** True for gases whose numbers are usual in several units: VOC may also be an index. */
const hasOpenUnit = (field: MetricField) =>
  field === 'voc' || likelyUnit(field, Number.MAX_SAFE_INTEGER) !== null;

interface FoundNumber {
  path: string;
  /** The last name of the path that isn't a position. */
  name: string;
  number: number;
}

function* numbersIn(answer: unknown): Generator<FoundNumber> {
  const open: { value: unknown; names: string[] }[] = [{ value: answer, names: [] }];
  let count = 0;
  for (let each = open.shift(); each && count < MOST_NUMBERS; each = open.shift()) {
    const { value, names } = each;
    const number = numberOf(value);
    if (number !== null && names.length > 0) {
      count += 1;
      yield { path: names.join('.'), name: names.findLast((name) => !/^\d+$/.test(name)) ?? '', number };
    }
    if (!isObject(value) || names.length >= DEEPEST) continue;
    for (const [name, member] of Object.entries(value).slice(0, MOST_NUMBERS)) {
      open.push({ value: member, names: [...names, name] });
    }
  }
}
