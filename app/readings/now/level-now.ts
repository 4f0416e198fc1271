import { at } from '../at';
import { isWorse, type Level, levelOf } from '../level/level';
import { METRICS, type Metric, measuredMetrics, type Threshold, type Thresholds } from '../metric';
import type { MetricValues, Reading, SensorSummary } from '../reading';
import { type Freshness, freshnessOfOne, isAfterSilence, msBetween } from './stale';

/**
 * Defines how good the air is now, from a few readings. The verdict, the tab's title and the strip of sensors show this
 * level, `/metrics` exports it, and the notifications judge how long it has lasted (`readings/air/judge-reading.ts`).
 */
export interface LevelNow {
  /** The worst level of a metric; null if none has thresholds, or if it is good only because a sensor has a fault. */
  level: Level | null;
  /** Each measured metric that has thresholds, in the order in which metrics are shown. */
  metrics: MetricNow[];
  fault: SensorFault | null;
}

export interface MetricNow {
  metric: Metric;
  threshold: Threshold;
  /** The newest value. */
  value: number;
  /** The worst level of the values. */
  level: Level;
}

/** A value below that of outdoor air, which no room can have. */
export interface SensorFault {
  metric: Metric;
  value: number;
  /** The least value of outdoor air. */
  least: number;
  /** False if a newer value of the metric has none. */
  isNow: boolean;
}

/**
 * Returns the level of these readings, the worst one of any value.
 *
 * @param readings oldest first, at least one
 */
export function levelNow(readings: readonly MetricValues[], thresholds: Thresholds): LevelNow {
  const metrics = measuredMetrics(readings).flatMap((metric): MetricNow[] => {
    const threshold = thresholds[metric.field];
    if (!threshold) return [];
    const values = valuesOf(readings, metric);
    const value = at(values, values.length - 1);
    return [{ metric, threshold, value, level: levelOf(Math.max(...values), threshold) }];
  });
  const level = metrics.reduce(
    (worst: Level | null, each) => (worst && isWorse(worst, each.level) ? worst : each.level),
    null,
  );
  const fault = faultOf(readings);
  return { level: fault && level === 'good' ? null : level, metrics, fault };
}

function valuesOf(readings: readonly MetricValues[], { field }: Metric): number[] {
  return readings.flatMap((reading) => reading[field] ?? []);
}

/** Returns the newest value that is a fault; null if none is. */
function faultOf(readings: readonly MetricValues[]): SensorFault | null {
  for (const metric of METRICS) {
    const { outdoorLeast: least } = metric;
    if (least === undefined) continue;
    const values = valuesOf(readings, metric);
    const newest = values.findLastIndex((value) => value < least);
    const value = values[newest];
    if (value !== undefined) return { metric, value, least, isNow: newest === values.length - 1 };
  }
  return null;
}

/**
 * Returns the metric that has a level although the first one, which is always shown, hasn't; undefined if there is none.
 */
export function otherCause(
  { metrics }: Pick<LevelNow, 'metrics'>,
  level: Level | null,
): MetricNow | undefined {
  return metrics[0]?.level === level ? undefined : metrics.find((each) => each.level === level);
}

/** A better level has to last for this many readings or this long before the verdict follows it. */
const SETTLING_READINGS = 5;
const SETTLING_MS = 60_000;

/**
 * Returns the readings that the verdict depends on, oldest first: the newest five, or those back to the first that is a
 * minute older than the newest if these are fewer. None from before a silence. Their worst level changes for the worse at
 * once, for the better only when that has lasted, and is the same on every page.
 *
 * @param readings oldest first
 */
export function settlingReadings(readings: readonly Reading[]): readonly Reading[] {
  const newest = readings.at(-1);
  let start = Math.max(0, readings.length - 1);
  while (
    newest &&
    readings.length - start < SETTLING_READINGS &&
    msBetween(at(readings, start), newest) < SETTLING_MS &&
    !isAfterSilence(readings, start)
  ) {
    start -= 1;
  }
  return readings.slice(start);
}

/** A sensor's air by its newest reading, which is all that is known of the sensors that a page doesn't show. */
export interface SensorNow extends LevelNow {
  freshness: Freshness;
}

/**
 * Judges a sensor by its newest reading.
 *
 * @param now the server's clock in milliseconds
 * @param freshness that of the newest reading if more readings of the sensor are known
 */
export function sensorNow(
  { newest }: Pick<SensorSummary, 'newest'>,
  thresholds: Thresholds,
  now: number,
  freshness: Freshness = freshnessOfOne(newest, now),
): SensorNow {
  return { ...levelNow([newest], thresholds), freshness };
}
