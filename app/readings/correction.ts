import type { FieldError } from './field-error';
import { type ByMetric, isFaulty, METRICS, type MetricField } from './metric';
import { DAY_MS } from './time/durations';
import { formatReadingTime, parseReadingTime, storedMicros } from './time/reading-time';

/**
 * A correction of one metric of a sensor, in force from a time on until the metric's next one. The corrected value is
 * `factor * posted + offset`.
 */
export interface Correction {
  metric: MetricField;
  /** In the unit of the metric. */
  offset: number;
  factor: number;
  /** In the format of a reading's time. */
  from: string;
}

/** The values, as posted, of the metrics that a correction has changed. */
export type RawValues = { [F in MetricField]?: number };

export const MAX_CORRECTIONS = 100;

/** The decimals of corrected values. Without rounding, 20.1 - 0.3 would be 19.800000000000001. */
const DECIMALS = 1e6;

/** Corrects the values of a reading, posted for a time in microseconds since 1970. */
export type Corrector = (
  posted: ByMetric<number>,
  time: number,
) => { values: ByMetric<number>; raw: RawValues | null };

/** Returns a function that applies a sensor's corrections. Faulty values stay: they are no measurements. */
export function correctorOf(corrections: readonly Correction[]): Corrector {
  const metrics = METRICS.flatMap((metric) => {
    const own = corrections.filter((one) => one.metric === metric.field);
    const newestFirst = own.map((one) => ({ ...one, time: storedMicros(one.from) })).reverse();
    return own.length > 0 ? [{ metric, newestFirst }] : [];
  });
  return (posted, time) => {
    let values = posted;
    const raw: RawValues = {};
    for (const { metric, newestFirst } of metrics) {
      const { field } = metric;
      const value = posted[field] ?? null;
      const correction = newestFirst.find((one) => one.time <= time);
      if (value === null || !correction || isFaulty(value, metric)) continue;
      const corrected = Math.round((value * correction.factor + correction.offset) * DECIMALS) / DECIMALS;
      if (corrected === value) continue;
      values = { ...values, [field]: corrected };
      raw[field] = value;
    }
    return { values, raw: values === posted ? null : raw };
  };
}

/** Returns a reading with its values as posted. */
export function asPosted<Corrected extends { raw?: RawValues }>(reading: Corrected): Corrected {
  if (!reading.raw) return reading;
  const { raw, ...rest } = reading;
  return { ...rest, ...raw } as Corrected;
}

/** Returns the time of the first reading that a change of corrections touches; null if nothing changes. */
export function firstTouched(before: readonly Correction[], after: readonly Correction[]): string | null {
  const textsOf = (corrections: readonly Correction[]) => new Set(corrections.map((one) => textOf(one)));
  const [known, next] = [textsOf(before), textsOf(after)];
  const changed = [...before, ...after].filter((one) => known.has(textOf(one)) !== next.has(textOf(one)));
  return changed.map(({ from }) => from).sort((a, b) => storedMicros(a) - storedMicros(b))[0] ?? null;
}

const textOf = ({ metric, offset, factor, from }: Correction) => `${metric} ${offset} ${factor} ${from}`;

const MEMBERS = ['metric', 'offset', 'factor', 'from'];

/** Reads the corrections of a change: all of them, or null for none. Returns them by metric and time. */
export function readCorrections(value: unknown, errors: FieldError[]): Correction[] {
  if (value === null) return [];
  if (!Array.isArray(value) || value.length > MAX_CORRECTIONS) {
    const detail = `must be an array of at most ${MAX_CORRECTIONS}, such as [{"metric": "co2", "offset": -64, "from": "2026-01-31T08:00:00Z"}]`;
    errors.push({ field: 'corrections', detail });
    return [];
  }
  const read = value.flatMap((item, i) => readCorrection(item, `corrections.${i}`, errors) ?? []);
  const keys = read.map(({ metric, from }) => `${metric} ${from}`);
  const twice = read.find((_, i) => keys.indexOf(keys[i] as string) !== i);
  if (twice) {
    const detail = `has two corrections of ${twice.metric} from ${twice.from} on: send one`;
    errors.push({ field: 'corrections', detail });
  }
  const place = ({ metric }: Correction) => METRICS.findIndex(({ field }) => field === metric);
  return read.sort((a, b) => place(a) - place(b) || storedMicros(a.from) - storedMicros(b.from));
}

function readCorrection(value: unknown, path: string, errors: FieldError[]): Correction | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    errors.push({ field: path, detail: `must be an object with ${MEMBERS.join(', ')}` });
    return null;
  }
  const before = errors.length;
  const reject = (member: string, detail: string) => void errors.push({ field: `${path}.${member}`, detail });
  for (const member of Object.keys(value))
    if (!MEMBERS.includes(member)) reject(member, `is unknown: send ${MEMBERS.join(', ')}`);
  const { metric, offset = 0, factor = 1, from } = value as Record<string, unknown>;
  const field = METRICS.find((each) => each.field === metric)?.field;
  if (!field) reject('metric', `must be one of ${METRICS.map((each) => each.field).join(', ')}`);
  if (typeof offset !== 'number' || !(Math.abs(offset) < 1e6))
    reject('offset', 'must be a number in the unit of the metric, such as -64');
  if (typeof factor !== 'number' || !(factor > 0 && factor < 1e6))
    reject('factor', 'must be a number above 0, such as 1.02');
  const time = typeof from === 'string' ? parseReadingTime(from) : null;
  if (time === null) reject('from', 'must be a time such as 2026-01-31T08:00:00Z');
  if (errors.length > before || !field || time === null) return null;
  return { metric: field, offset: offset as number, factor: factor as number, from: formatReadingTime(time) };
}

export const changesValues = ({ offset, factor }: Pick<Correction, 'offset' | 'factor'>): boolean =>
  offset !== 0 || factor !== 1;

/** Returns the last correction of a metric; undefined if it changes no values. */
export function latestCorrection(
  corrections: readonly Correction[],
  metric: MetricField,
): Correction | undefined {
  const latest = corrections.filter((one) => one.metric === metric).at(-1);
  return latest && changesValues(latest) ? latest : undefined;
}

/** An offset may be seen in readings of this time. */
const OFFERED_MS = 14 * DAY_MS;

/**
 * Returns the corrections with an offset added to those of a metric. It begins with the sensor's first reading, or after the
 * correction that is in force, which `withoutLatest` restores.
 *
 * @param first the time of the sensor's first reading
 * @param now in milliseconds since 1970
 */
export function withOffset(
  corrections: readonly Correction[],
  { metric, offset }: Pick<Correction, 'metric' | 'offset'>,
  { first, now }: { first: string; now: number },
): Correction[] {
  const latest = corrections.filter((one) => one.metric === metric).at(-1);
  if (!latest) return [...corrections, { metric, offset, factor: 1, from: first }];
  const from = Math.max(now - OFFERED_MS, Date.parse(latest.from) + 1000);
  return [...corrections, { ...latest, offset: latest.offset + offset, from: new Date(from).toISOString() }];
}

/** Returns the corrections without the last one of a metric. */
export function withoutLatest(corrections: readonly Correction[], metric: MetricField): Correction[] {
  const latest = corrections.filter((one) => one.metric === metric).at(-1);
  return corrections.filter((one) => one !== latest);
}
