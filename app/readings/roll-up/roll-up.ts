import type { Level } from '../level/level';
import { type ByMetric, byMetric, METRICS } from '../metric';
import type { MetricValues } from '../reading';

/** The values of one metric over some time. Sums, because averages of averages would be wrong. */
export interface MetricTotals {
  values: number;
  sum: number;
  lowest: number;
  highest: number;
  /** How long the slots that begin in that time count as of each level (slot.ts). */
  seconds: Record<Level, number>;
}

/** The readings of one step of time, and the totals of each metric that they have a value of. */
export interface RollUp extends ByMetric<MetricTotals> {
  /** In seconds since 1970. */
  start: number;
  readings: number;
}

/** Returns the totals of one value, with no time in any level; null if there is no value. */
export function totalsOf(value: number | null): MetricTotals | null {
  if (value === null) return null;
  return { values: 1, sum: value, lowest: value, highest: value, seconds: { good: 0, moderate: 0, poor: 0 } };
}

/** Adds a reading to a roll-up, with no time in any level. A batch has thousands: it makes no objects. */
export function addReading(rollUp: RollUp, reading: MetricValues): void {
  rollUp.readings += 1;
  for (const { field } of METRICS) {
    const value = reading[field] ?? null;
    if (value === null) continue;
    const totals = rollUp[field];
    if (!totals) rollUp[field] = totalsOf(value);
    else {
      totals.values += 1;
      totals.sum += value;
      totals.lowest = Math.min(totals.lowest, value);
      totals.highest = Math.max(totals.highest, value);
    }
  }
}

/** Returns the totals of two times together; null if neither has a value. */
export function mergeTotals(
  a: MetricTotals | null | undefined,
  b: MetricTotals | null | undefined,
): MetricTotals | null {
  if (!a || !b) return a ?? b ?? null;
  return {
    values: a.values + b.values,
    sum: a.sum + b.sum,
    lowest: Math.min(a.lowest, b.lowest),
    highest: Math.max(a.highest, b.highest),
    seconds: {
      good: a.seconds.good + b.seconds.good,
      moderate: a.seconds.moderate + b.seconds.moderate,
      poor: a.seconds.poor + b.seconds.poor,
    },
  };
}

/** Returns the roll-up of two times together, which begins with the first. */
export function mergeRollUps(a: RollUp, b: RollUp): RollUp {
  return {
    start: a.start,
    readings: a.readings + b.readings,
    ...byMetric(({ field }) => mergeTotals(a[field], b[field])),
  };
}

/** Returns the average value. The sum of the largest finite numbers is infinite: then it is the middle of the values. */
export function averageOf({ values, sum, lowest, highest }: MetricTotals): number {
  return Number.isFinite(sum) ? sum / values : lowest / 2 + highest / 2;
}

/** Sums differ in their last digits by the order of adding. Averages have fewer, so that answers and levels don't. */
const AVERAGE_DIGITS = 12;

/** Rounds an average to the digits that it has in answers. */
export function roundAverage(average: number): number {
  return Number(average.toPrecision(AVERAGE_DIGITS));
}

/** Returns the average value as answers have it, which also decides the level of a slot. */
export function roundedAverageOf(totals: MetricTotals): number {
  return Math.min(totals.highest, Math.max(totals.lowest, roundAverage(averageOf(totals))));
}

/** Steps to group by: in seconds, as in `HistoryQuery`. */
export interface Steps {
  step: number;
  phase?: number;
}

/** Returns the beginning of the step that a time lies in, all in seconds. */
export function stepStart(time: number, { step, phase = 0 }: Steps): number {
  return Math.floor((time - phase) / step) * step + phase;
}

/**
 * Yields the roll-ups of longer steps, each once it is complete.
 *
 * @param pages roll-ups of shorter steps, oldest first. None of them lies in two of the longer steps.
 */
export async function* groupRollUps(pages: AsyncIterable<RollUp[]>, steps: Steps): AsyncGenerator<RollUp[]> {
  let last: RollUp | undefined;
  for await (const page of pages) {
    const grouped = groupPage(last ? [last, ...page] : page, steps);
    last = grouped.pop();
    if (grouped.length > 0) yield grouped;
  }
  if (last) yield [last];
}

/** Returns the roll-ups of longer steps. */
export function groupPage(page: readonly RollUp[], steps: Steps): RollUp[] {
  const grouped: RollUp[] = [];
  for (const rollUp of page) {
    const start = stepStart(rollUp.start, steps);
    const last = grouped.at(-1);
    if (last?.start === start) {
      grouped[grouped.length - 1] = mergeRollUps(last, rollUp);
    } else grouped.push({ ...rollUp, start });
  }
  return grouped;
}
