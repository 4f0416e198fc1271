import { bandOf, type Level } from '../level/level';
import type { ByMetric, Metric, Thresholds } from '../metric';
import type { Span, SpanLimits } from '../time/history-span';

/** The time in each level, for a metric with thresholds. */
export interface LevelSeconds {
  good_seconds: number;
  moderate_seconds: number;
  poor_seconds: number;
}

/** The measured time, for a metric without thresholds. */
export interface MeasuredSeconds {
  measured_seconds: number;
  /** The part outside the comfortable band; only for a metric that has one. */
  outside_seconds?: number;
}

export type MetricTime = LevelSeconds | MeasuredSeconds;

/** Returns the time in each level; null for a metric without thresholds. */
export function levelSecondsOf<T extends LevelSeconds>(time: T | MeasuredSeconds): T | null {
  return 'good_seconds' in time ? time : null;
}

/** Returns the time in each level with the API's names. */
export function levelSeconds({ good, moderate, poor }: Record<Level, number>): LevelSeconds {
  return { good_seconds: good, moderate_seconds: moderate, poor_seconds: poor };
}

/** Returns the measured time of a metric without thresholds. `seconds` are counted by the bounds from `boundsOf`. */
export function measuredTime(
  metric: Metric,
  { good, moderate }: Record<Level, number>,
  thresholds: Thresholds,
): MeasuredSeconds {
  const band = bandOf(metric, thresholds);
  return { measured_seconds: good + moderate, ...(band && { outside_seconds: moderate }) };
}

/** Returns the time for which a metric was measured. */
export function measuredSeconds(time: MetricTime): number {
  return 'good_seconds' in time
    ? time.good_seconds + time.moderate_seconds + time.poor_seconds
    : time.measured_seconds;
}

interface Statistics {
  lowest: number;
  average: number;
  highest: number;
}

/** The answer for one metric with thresholds. */
export type LevelAnswer = Statistics & LevelSeconds;

export type MeasuredAnswer = Statistics & MeasuredSeconds;

export type MetricAnswer = LevelAnswer | MeasuredAnswer;

/** The answers for each metric. CO2 and VOC always have thresholds. */
export type MetricAnswers = ByMetric<MetricAnswer, LevelAnswer>;

/** A step of `GET /api/history` that has readings. */
export interface StepAnswer extends MetricAnswers {
  /** ISO 8601 in UTC with `Z`, at a multiple of the step's length. */
  start: string;
  readings: number;
}

/** The answer of `GET /api/history`. The first and last step are complete, even if they reach beyond the span. */
export interface HistoryAnswer {
  step_seconds: number;
  /** Steps with readings, oldest first. */
  steps: StepAnswer[];
  /** The time before which only slots are kept; only if the span begins before it. */
  raw_from?: string;
}

/** An unbroken time at or above a level. */
export interface Stretch {
  from: string;
  seconds: number;
}

/** The time in each level during a span. */
export interface SpanLevels extends LevelSeconds {
  /** The longest stretch that was moderate or poor, and the longest that was poor; null if there was none. */
  longest_not_good: Stretch | null;
  longest_poor: Stretch | null;
}

export interface SpanValues extends Statistics {
  /** The times when the lowest and the highest value were first measured, to the second. */
  lowest_at: string;
  highest_at: string;
}

/**
 * One metric of `GET /api/summary`, over exactly the requested span. A span without a value may still have time in a level, if
 * an earlier slot extends into it.
 */
type ValuesOrNone = SpanValues | Record<keyof SpanValues, null>;
export type LevelSummary = SpanLevels & ValuesOrNone;
export type MetricSummary = LevelSummary | (MeasuredSeconds & ValuesOrNone);

/** The answer of `GET /api/summary`. */
export interface SummaryAnswer extends ByMetric<MetricSummary, LevelSummary> {
  readings: number;
}

/** The numbers of a page's span, and its bounds in milliseconds since 1970. */
export interface PageNumbers extends Span, SpanLimits {
  summary: SummaryAnswer;
}

/** An hour or a day in the viewer's time zone that has readings. */
export interface Cell extends MetricAnswers {
  /** The start, ISO 8601 in UTC with `Z`. */
  start: string;
}

/** The quartiles of an hour's averages, over all days with readings in that hour. */
export interface Quartiles {
  lower: number;
  median: number;
  upper: number;
  days: number;
  /** The time for which the metric was measured in that hour, on all these days together. */
  measured_seconds: number;
}

/** The answer of `GET /api/pattern`. */
export interface PatternAnswer {
  /** Cells with readings, oldest first. */
  cells: Cell[];
  /** Hours 0 to 23, without those that have no readings. */
  typical_day: ({ hour: number } & ByMetric<Quartiles>)[];
}
