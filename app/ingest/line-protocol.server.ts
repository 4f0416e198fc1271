/** Reads bodies of InfluxDB's line protocol. */
import { METRICS } from '../readings/metric';
import { misspeltMetric } from '../readings/misspelt-metric';
import { type BatchItem, GROUP_LENGTH, ITEM_LIMIT, type ItemGroups } from './batch-items.server';
import { lineJoiner, parsePoint, pointValues } from './line-point.server.js';

/** Nanoseconds of each `precision`, by the names of InfluxDB 1 and 2. */
const PRECISIONS: Record<string, number> = {
  ...{ ns: 1, n: 1, us: 1000, u: 1000, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 },
};
export const PRECISION_NAMES = Object.keys(PRECISIONS);

export interface LineRules {
  /** The tags that name a sensor. The first one that a line has counts. */
  tags: readonly string[];
  precision: string;
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
  const take = ({ at, text }: { at: number; text: string }) => {
    const read = readLine(text.trim(), rules);
    if (read === null) return;
    if ('fault' in read) {
      faults.push({ at, error: { field: 'line', detail: read.fault } });
      return;
    }
    const { value } = read;
    const key = JSON.stringify([value.sensor, value.created_at]);
    const known = open.get(key);
    if (known && Object.keys(value).every((name) => !(name in known) || known[name] === value[name])) {
      Object.assign(known, value);
      return;
    }
    open.set(key, value);
    found.push({ at, value });
  };
  const join = lineJoiner();
  let lines = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + GROUP_LENGTH);
    const to = end < 0 ? text.length : end;
    for (const line of text.slice(from, to).split('\n')) {
      lines += 1;
      if (lines % GROUP_LINES === 0) yield faults.splice(0);
      for (const each of join(line)) take(each);
    }
    from = to + 1;
    yield faults.splice(0);
  }
  for (const each of join()) take(each);
  yield faults;
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
  const { values, others, sensor, fault } = pointValues(point, { tags });
  if (fault) return { fault };
  const members = Object.entries(others).filter(([name]) => !OWN_MEMBERS.has(name));
  const value: Record<string, unknown> = { ...Object.fromEntries(members), ...values };
  if (!FIELDS.some((field) => field in value) && !Object.keys(value).some(misspeltMetric)) return null;
  if (sensor !== undefined) value.sensor = sensor;
  if (point.time !== undefined) value.created_at = isoOf(point.time * BigInt(PRECISIONS[precision] ?? 1));
  return { value };
}

/** Formats nanoseconds since 1970, with all their digits. */
function isoOf(time: bigint): string {
  const ms = Number(time / 1_000_000n);
  if (Math.abs(ms) > 8.64e15) return String(time);
  const date = new Date(ms).toISOString();
  return date.replace('Z', `${String(time % 1_000_000n).padStart(6, '0')}Z`);
}
