import type { MetricAnswer } from '../readings/history-answer';
import { averageOf, type MetricTotals } from '../readings/roll-up';

/** Sums differ in their last digits by the order of adding. Averages have fewer, so that answers don't. */
const AVERAGE_DIGITS = 12;

/** Rounds an average to the digits that it has in answers. */
export function roundAverage(average: number): number {
  return Number(average.toPrecision(AVERAGE_DIGITS));
}

/** Returns a metric's totals as the API gives them. */
export function metricAnswer(totals: MetricTotals | null): MetricAnswer | null {
  if (!totals) return null;
  const { lowest, highest, seconds } = totals;
  return {
    lowest,
    average: Math.min(highest, Math.max(lowest, roundAverage(averageOf(totals)))),
    highest,
    good_seconds: seconds.good,
    moderate_seconds: seconds.moderate,
    poor_seconds: seconds.poor,
  };
}
