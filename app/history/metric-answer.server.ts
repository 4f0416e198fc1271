import type { LevelSeconds, MetricAnswer } from '../readings/history/history-answer';
import type { Level } from '../readings/level/level';
import { type MetricTotals, roundedAverageOf } from '../readings/roll-up/roll-up';

/** Returns a metric's totals as the API gives them. */
export function metricAnswer(totals: MetricTotals | null): MetricAnswer | null {
  if (!totals) return null;
  const { lowest, highest, seconds } = totals;
  return { lowest, average: roundedAverageOf(totals), highest, ...secondsAnswer(seconds) };
}

/** Returns the time in each level as the API gives it. */
export function secondsAnswer({ good, moderate, poor }: Record<Level, number>): LevelSeconds {
  return { good_seconds: good, moderate_seconds: moderate, poor_seconds: poor };
}
