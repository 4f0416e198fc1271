import type { LevelAnswer, SpanLevels, SpanValues } from '../../../app/readings/history/history-answer';

/** Returns the answer for a metric with this average, all of its time good. */
export function metricAnswer(average: number, more: Partial<LevelAnswer> = {}): LevelAnswer {
  return {
    lowest: average * 0.9,
    average,
    highest: average * 1.2,
    good_seconds: 3600,
    moderate_seconds: 0,
    poor_seconds: 0,
    ...more,
  };
}

/** Returns the summary of a metric whose time was all good, unless it says otherwise. */
export function metricSummary(more: Partial<SpanLevels & SpanValues> = {}): SpanLevels & SpanValues {
  return {
    ...metricAnswer(861.4, { lowest: 412, highest: 1771 }),
    lowest_at: new Date('2026-11-21T04:12:00').toISOString(),
    highest_at: new Date('2026-11-21T20:31:00').toISOString(),
    longest_not_good: null,
    longest_poor: null,
    ...more,
  };
}
