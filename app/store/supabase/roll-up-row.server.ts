import type { MetricSummary, Stretch, SummaryAnswer } from '../../readings/history/history-answer';
import { type MetricTotals, type RollUp, roundedAverageOf } from '../../readings/roll-up/roll-up';

/**
 * Converts a step of the function `history`.
 *
 * @param row anything that came over the network
 * @returns null if it isn't such a step
 */
export function rollUpOf(row: unknown): RollUp | null {
  const { start, readings, co2, voc } = membersOf(row);
  const rollUp = {
    start: toNumber(start),
    readings: toNumber(readings),
    co2: totalsOf(co2),
    voc: totalsOf(voc),
  };
  return isComplete(rollUp) ? rollUp : null;
}

function totalsOf(totals: unknown): MetricTotals | null {
  if (totals === null) return null;
  const { values, sum, lowest, highest, seconds } = membersOf(totals);
  const { good, moderate, poor } = membersOf(seconds);
  return {
    values: toNumber(values),
    // The sum of the largest numbers: JSON has no infinity.
    sum: sum === null ? Number.POSITIVE_INFINITY : toNumber(sum),
    lowest: toNumber(lowest),
    highest: toNumber(highest),
    seconds: { good: toNumber(good), moderate: toNumber(moderate), poor: toNumber(poor) },
  };
}

/**
 * Converts the numbers of a span that the function `summary` returns.
 *
 * @param row anything that came over the network
 * @returns null if it isn't such numbers
 */
export function summaryOf(row: unknown): SummaryAnswer | null {
  const { readings, co2, voc } = membersOf(row);
  const summary = { readings: toNumber(readings), co2: metricSummaryOf(co2), voc: metricSummaryOf(voc) };
  return isComplete(summary) ? summary : null;
}

function metricSummaryOf(metric: unknown): MetricSummary | null {
  if (metric === null) return null;
  const { values, lowest_at, highest_at, longest_not_good, longest_poor } = membersOf(metric);
  const { seconds, ...totals } = totalsOf(metric) as MetricTotals;
  const times = {
    good_seconds: seconds.good,
    moderate_seconds: seconds.moderate,
    poor_seconds: seconds.poor,
    longest_not_good: stretchOf(longest_not_good),
    longest_poor: stretchOf(longest_poor),
  };
  // A slot before the span may count into it.
  if (values === 0)
    return { lowest: null, average: null, highest: null, lowest_at: null, highest_at: null, ...times };
  return {
    lowest: totals.lowest,
    average: roundedAverageOf({ ...totals, seconds }),
    highest: totals.highest,
    lowest_at: isoOf(lowest_at),
    highest_at: isoOf(highest_at),
    ...times,
  };
}

function stretchOf(stretch: unknown): Stretch | null {
  if (stretch === null) return null;
  const { from, seconds } = membersOf(stretch);
  return { from: isoOf(from), seconds: toNumber(seconds) };
}

/** Returns the time of some seconds since 1970; empty if they aren't a number. */
function isoOf(seconds: unknown): string {
  const time = new Date(toNumber(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

const membersOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;

/** The sum of the largest numbers is infinite, and large numbers may be text. */
const toNumber = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;

/** Returns true if no number and no time is missing. */
function isComplete(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.values(value).every(isComplete);
  return value !== '' && !Number.isNaN(value);
}
