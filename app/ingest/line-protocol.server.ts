/**
 * Reads InfluxDB's line protocol: https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/
 *
 *     air,host=kitchen co2=612,temperature=21.4 1772359500000000000
 */
import { METRICS, type MetricField } from '../readings/metric';
import { readName } from '../readings/metric-names.js';
import { cannotConvert, conversionFrom, isUnit, likelyUnit } from '../readings/metric-units.js';
import { misspeltMetric } from '../readings/misspelt-metric';
import { type BatchItem, GROUP_LENGTH, ITEM_LIMIT, type ItemGroups } from './batch-items.server';
import { inUnit } from './parse-reading.server';

/** Nanoseconds of each `precision`, by the names of InfluxDB 1 and 2. */
const PRECISIONS: Record<string, number> = {
  ...{ ns: 1, n: 1, us: 1000, u: 1000, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 },
};
export const PRECISION_NAMES = Object.keys(PRECISIONS);

/** Measurements of Telegraf about the computer that it runs on. Their temperatures aren't those of the air. */
const OF_COMPUTERS =
  /^(temp|sensors|cpu|disk|diskio|mem|smart_(device|attribute)|hddtemp|ipmi_sensor|nvidia_smi|amd_rocm_smi|redfish_.*|docker.*|kernel|net|processes|swap|system)$/;

export interface LineRules {
  /** The tags that name a sensor. The first one that a line has counts. */
  tags: readonly string[];
  precision: string;
}

type Value = number | boolean | string;

/** A line with its tags and fields. `time` is in nanoseconds since 1970. */
interface Point {
  measurement: string;
  tags: Map<string, string>;
  fields: [string, Value][];
  time?: bigint;
}

/**
 * Yields the readings of a body, numbered by the lines in which they begin. Lines of the same sensor and time make one reading,
 * because some programs write each value alone; a second value of a metric begins another reading. Lines without a metric, as most
 * of Telegraf's are, aren't readings.
 */
export function* lineItems(text: string, rules: LineRules): ItemGroups {
  const open = new Map<string, Record<string, unknown>>();
  const found: BatchItem[] = [];
  const faults: BatchItem[] = [];
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + GROUP_LENGTH);
    const to = end < 0 ? text.length : end;
    for (const each of text.slice(from, to).split('\n')) {
      line += 1;
      if (line % GROUP_LINES === 0) yield faults.splice(0);
      const read = readLine(each.trim(), rules);
      if (read === null) continue;
      if ('fault' in read) {
        faults.push({ at: line, error: { field: 'line', detail: read.fault } });
        continue;
      }
      const { value } = read;
      const key = JSON.stringify([value.sensor, value.created_at]);
      const known = open.get(key);
      if (known && Object.keys(value).every((name) => !(name in known) || known[name] === value[name])) {
        Object.assign(known, value);
        continue;
      }
      open.set(key, value);
      found.push({ at: line, value });
    }
    from = to + 1;
    yield faults.splice(0);
  }
  for (let i = 0; i < found.length; i += GROUP_LINES) yield found.slice(i, i + GROUP_LINES);
}

const FIELDS = METRICS.map(({ field }) => field);
/** Fields with these names aren't those of a reading. */
const OWN_MEMBERS = new Set(['id', 'sensor', 'created_at']);
/** The lines or readings for one event-loop turn. */
const GROUP_LINES = 500;

type Read = { value: Record<string, unknown> } | { fault: string };

/** Reads a line as a reading; null for an empty line, a comment, and a line without a metric or a misspelt one. */
function readLine(line: string, { tags, precision }: LineRules): Read | null {
  if (line === '' || line.startsWith('#')) return null;
  if (line.length > ITEM_LIMIT) return { fault: 'is over 16 KiB' };
  const point = parsePoint(line);
  if (typeof point === 'string') return { fault: point };
  const value: Record<string, unknown> = {};
  const places: string[] = [];
  for (const [name, sent] of point.fields) {
    // Home Assistant writes attributes as text.
    if (typeof sent !== 'number' || OF_COMPUTERS.test(point.measurement)) continue;
    const named = nameOf(point, name);
    const metric = readName(named.name);
    if (!metric) {
      if (!OWN_MEMBERS.has(named.name)) value[named.name] = sent;
      continue;
    }
    const converted = inMetric(metric.field, sent, metric.unit ?? named.unit, metric.or, name);
    if (typeof converted === 'string') return { fault: converted };
    value[metric.field] = converted;
    if (metric.place) places.push(metric.place);
  }
  if (!FIELDS.some((field) => field in value) && !Object.keys(value).some(misspeltMetric)) return null;
  const tag = tags.find((each) => point.tags.get(each));
  const isOwn = point.fields.some(([name]) => name === 'value');
  const sensor = (tag && point.tags.get(tag)) ?? (isOwn ? places[0] : undefined);
  if (sensor !== undefined) value.sensor = sensor;
  if (point.time !== undefined) value.created_at = isoOf(point.time * BigInt(PRECISIONS[precision] ?? 1));
  return { value };
}

/**
 * Returns the name of a value, and the unit beside it. Under `value`, the measurement has the name. Home Assistant writes the unit
 * as the measurement, and the name as the tag `entity_id`.
 */
function nameOf({ measurement, tags }: Point, field: string): { name: string; unit?: string } {
  if (field !== 'value') return { name: field };
  const entity = tags.get('entity_id');
  return entity && isUnit(measurement)
    ? { name: entity, unit: measurement }
    : { name: entity ?? measurement };
}

/** Converts a value to its metric's unit, or returns why that can't be done. */
function inMetric(
  field: MetricField,
  value: number,
  unit: string | undefined,
  or: MetricField | undefined,
  name: string,
): number | string {
  const describe = (each: MetricField) => inUnit(METRICS.find((metric) => metric.field === each) as never);
  if (or && unit === undefined)
    return `"${name}" may be in PPB or an index: write it as ${describe(field)} or as ${describe(or)}`;
  if (unit === undefined) {
    const other = likelyUnit(field, value);
    if (!other) return value;
    return `"${name}" has no unit and may be in ${other}: write it as ${describe(field)}, or name it ${field}_${other.replace('°', '')}`;
  }
  const convert = conversionFrom(unit, field);
  if (convert === undefined) return `"${name}" ${cannotConvert(unit, field)}`;
  return convert ? convert(value) : value;
}

/** Formats nanoseconds since 1970, with all their digits. */
function isoOf(time: bigint): string {
  const ms = Number(time / 1_000_000n);
  if (Math.abs(ms) > 8.64e15) return String(time);
  const date = new Date(ms).toISOString();
  return date.replace('Z', `${String(time % 1_000_000n).padStart(6, '0')}Z`);
}

/** The measurement, a tag's key or value, and a field's key: commas, spaces and equals signs are escaped. */
const MEASUREMENT = /(?:\\.|[^\\, ])+/y;
const KEY = /(?:\\.|[^\\,= ])+/y;
const VALUE =
  /"((?:\\.|[^"\\])*)"|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[iu]?(?=[, ]|$)|(true|false|t|f)(?=[, ]|$)/iy;
const TIME = / +(-?\d{1,19})$/y;

/** Parses a line. Returns what is wrong with it instead. */
function parsePoint(line: string): Point | string {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const unescaped = (text: string) => text.replace(/\\([,= ])/g, '$1');
  const measurement = take(MEASUREMENT)?.[0];
  if (measurement === undefined) return NOT_LINES;
  const tags = new Map<string, string>();
  while (line[at] === ',') {
    at += 1;
    const key = take(KEY)?.[0];
    if (key === undefined || line[at] !== '=') return NOT_LINES;
    at += 1;
    tags.set(unescaped(key), unescaped(take(KEY)?.[0] ?? ''));
  }
  const fields: Point['fields'] = [];
  if (line[at] !== ' ') return NOT_LINES;
  while (line[at] === ' ') at += 1;
  for (;;) {
    const key = take(KEY)?.[0];
    if (key === undefined || line[at] !== '=') return NOT_LINES;
    at += 1;
    const [value, text, number] = take(VALUE) ?? [];
    if (value === undefined) return `has no number, text or true or false for "${unescaped(key)}"`;
    fields.push([unescaped(key), text ?? (number !== undefined ? Number(number) : /^t/i.test(value))]);
    if (line[at] !== ',') break;
    at += 1;
  }
  const time = take(TIME)?.[1];
  if (time === undefined && line.slice(at).trim() !== '')
    return 'has something else than a time after its fields';
  return {
    measurement: unescaped(measurement),
    tags,
    fields,
    ...(time !== undefined && { time: BigInt(time) }),
  };
}

const NOT_LINES = 'is not line protocol, such as air,sensor=kitchen co2=612 1772359500000000000';
