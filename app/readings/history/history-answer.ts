import type { Level } from '../level/level';
import type { ByMetric, Metric } from '../metric';

/** The time of a metric with thresholds in each level. */
export interface LevelSeconds {
  good_seconds: number;
  moderate_seconds: number;
  poor_seconds: number;
}

/** The time of a metric without thresholds. */
export interface MeasuredSeconds {
  measured_seconds: number;
  /** The part of it outside the comfortable band; only of a metric that has one. */
  outside_seconds?: number;
}

export type MetricTime = LevelSeconds | MeasuredSeconds;

/** Returns the time in each level; null for a metric without thresholds. */
export function levelSecondsOf<T extends LevelSeconds>(time: T | MeasuredSeconds): T | null {
  return 'good_seconds' in time ? time : null;
}

/** Returns the time in each level as the API gives it. */
export function levelSeconds({ good, moderate, poor }: Record<Level, number>): LevelSeconds {
  return { good_seconds: good, moderate_seconds: moderate, poor_seconds: poor };
}

/** Returns the time of a metric without thresholds, which `boundsOf` divides, as the API gives it. */
export function measuredTime({ band }: Metric, { good, moderate }: Record<Level, number>): MeasuredSeconds {
  return { measured_seconds: good + moderate, ...(band && { outside_seconds: moderate }) };
}

/** Returns how long a metric was measured. */
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

/** A metric with thresholds over some time. */
export type LevelAnswer = Statistics & LevelSeconds;

export type MeasuredAnswer = Statistics & MeasuredSeconds;

/** One metric over some time. */
export type MetricAnswer = LevelAnswer | MeasuredAnswer;

/** The answers of several metrics. CO2 and VOC have thresholds. */
export type MetricAnswers = ByMetric<MetricAnswer, LevelAnswer>;

/** A step with readings of `GET /api/history`. */
export interface StepAnswer extends MetricAnswers {
  /** ISO 8601 in UTC with `Z`, at a multiple of the step's length. */
  start: string;
  readings: number;
}

/** The answer of `GET /api/history`. The first and the last step are whole, also where the span cuts them. */
export interface HistoryAnswer {
  step_seconds: number;
  /** Oldest first, only those with readings. */
  steps: StepAnswer[];
}

/** A time without a break at a level or a worse one. */
export interface Stretch {
  from: string;
  seconds: number;
}

/** The time of a span in each level. */
export interface SpanLevels extends LevelSeconds {
  /** The longest stretches that were moderate or poor, and poor; null if there was none. */
  longest_not_good: Stretch | null;
  longest_poor: Stretch | null;
}

/** The values of a span. */
export interface SpanValues extends Statistics {
  /** When the lowest and the highest value were measured, to the second; the first time if there were several. */
  lowest_at: string;
  highest_at: string;
}

/**
 * One metric over the span of `GET /api/summary`: exactly the span, not whole steps. Without a value in the span there may
 * be time in level, of a slot that counts into it.
 */
type ValuesOrNone = SpanValues | Record<keyof SpanValues, null>;
export type LevelSummary = SpanLevels & ValuesOrNone;
export type MetricSummary = LevelSummary | (MeasuredSeconds & ValuesOrNone);

/** The answer of `GET /api/summary`. */
export interface SummaryAnswer extends ByMetric<MetricSummary, LevelSummary> {
  readings: number;
}

/** An hour or a day of the viewer's time zone with readings. */
export interface Cell extends MetricAnswers {
  /** When it begins, ISO 8601 in UTC with `Z`. */
  start: string;
}

/** The averages that an hour of the day has had, over all days with readings in it. */
export interface Quartiles {
  lower: number;
  median: number;
  upper: number;
  days: number;
  /** How long the metric was measured in it, on all of these days together. */
  measured_seconds: number;
}

/** The answer of `GET /api/pattern`. */
export interface PatternAnswer {
  /** Oldest first, only those with readings. */
  cells: Cell[];
  /** From hour 0 to 23; hours without readings are left out. */
  typical_day: ({ hour: number } & ByMetric<Quartiles>)[];
}
