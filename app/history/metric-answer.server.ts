import type { LevelSeconds, MetricAnswer } from '../readings/history-answer';
import type { Level } from '../readings/level';
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
  const average = Math.min(highest, Math.max(lowest, roundAverage(averageOf(totals))));
  return { lowest, average, highest, ...secondsAnswer(seconds) };
}

/** Returns the time in each level as the API gives it. */
export function secondsAnswer({ good, moderate, poor }: Record<Level, number>): LevelSeconds {
  return { good_seconds: good, moderate_seconds: moderate, poor_seconds: poor };
}
