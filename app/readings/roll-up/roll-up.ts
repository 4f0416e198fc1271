import type { Level } from '../level/level';
import { type ByMetric, byMetric, isFaulty, METRICS } from '../metric';
import type { MetricValues } from '../reading';

/** The totals of one metric's measurements over a period, without faulty values. Holds sums, because averaging averages would be wrong. */
export interface MetricTotals {
  values: number;
  sum: number;
  lowest: number;
  highest: number;
  /** The time in each level, from the slots that start in the period (slot.ts). */
  seconds: Record<Level, number>;
}

/** The number of readings in one step, and the totals of each measured metric. */
export interface RollUp extends ByMetric<MetricTotals> {
  /** The step's start in seconds since 1970. */
  start: number;
  readings: number;
  /** The totals of faulty CO2 values, by which a room's sensor is judged. Only in steps that are shorter than a slot. */
  co2_faults?: MetricTotals;
}

/** Returns the totals of one value, without time in any level. */
export function totalsOf(value: number): MetricTotals {
  return { values: 1, sum: value, lowest: value, highest: value, seconds: { good: 0, moderate: 0, poor: 0 } };
}

const NO_VALUES = { values: 0, lowest: Number.POSITIVE_INFINITY, highest: Number.NEGATIVE_INFINITY };

/**
 * Adds a reading to a roll-up, without time in any level. A metric with only faulty values gets totals of 0 values. Updates in place,
 * because a batch has thousands of readings.
 */
export function addReading(rollUp: RollUp, reading: MetricValues): void {
  rollUp.readings += 1;
  for (const metric of METRICS) {
    const { field } = metric;
    const value = reading[field] ?? null;
    if (value === null) continue;
    const totals = rollUp[field];
    if (isFaulty(value, metric)) rollUp[field] = totals ?? { ...totalsOf(0), ...NO_VALUES };
    else if (!totals) rollUp[field] = totalsOf(value);
    else {
      totals.values += 1;
      totals.sum += value;
      totals.lowest = Math.min(totals.lowest, value);
      totals.highest = Math.max(totals.highest, value);
    }
  }
}

/** Merges the totals of two periods; null if neither has a value. */
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

/** Merges two roll-ups. The result has the start of the first. */
export function mergeRollUps(a: RollUp, b: RollUp): RollUp {
  return {
    start: a.start,
    readings: a.readings + b.readings,
    ...byMetric(({ field }) => mergeTotals(a[field], b[field])),
    ...withFaults(mergeTotals(a.co2_faults, b.co2_faults)),
  };
}

/** Returns the member for faulty CO2 values, which most roll-ups don't have. */
export function withFaults(co2_faults: MetricTotals | null): Pick<RollUp, 'co2_faults'> {
  return co2_faults ? { co2_faults } : {};
}

/** Returns the average. If the sum overflowed to Infinity, returns the middle of the lowest and highest value. */
export function averageOf({ values, sum, lowest, highest }: Omit<MetricTotals, 'seconds'>): number {
  return Number.isFinite(sum) ? sum / values : lowest / 2 + highest / 2;
}

/** The digits of an average. The last digits of a sum depend on the order of adding, and must not affect answers or levels. */
const AVERAGE_DIGITS = 12;

/** Rounds an average for answers. */
export function roundAverage(average: number): number {
  return Number(average.toPrecision(AVERAGE_DIGITS));
}

/** Returns the rounded average for answers, which also decides a slot's level. */
export function roundedAverageOf(totals: Omit<MetricTotals, 'seconds'>): number {
  return Math.min(totals.highest, Math.max(totals.lowest, roundAverage(averageOf(totals))));
}

/** The steps to group by, in seconds (see `HistoryQuery`). */
export interface Steps {
  step: number;
  phase?: number;
}

/** Returns the start of the step that contains a time, in seconds. */
export function stepStart(time: number, { step, phase = 0 }: Steps): number {
  return Math.floor((time - phase) / step) * step + phase;
}

/**
 * Merges roll-ups into longer steps, and yields each once it is complete.
 *
 * @param pages roll-ups of shorter steps, oldest first. Each lies in only one of the longer steps.
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

/** Merges the roll-ups of one page into longer steps. */
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
