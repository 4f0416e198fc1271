import { at } from '../at';
import { hasLevels, isLowBad, isWorse, type Level, levelOf, severityOf, thresholdsOf } from '../level/level';
import { isFaulty, METRICS, type Metric, type Threshold, type Thresholds } from '../metric';
import type { MetricValues, Reading, SensorSummary } from '../reading';
import { silentAfterMsFor, thresholdsFor } from '../sensor-settings';
import { type Freshness, freshnessOfOne, isAfterSilence, msBetween } from './stale';

/**
 * The level of the air now, from a few readings. The verdict, the tab title and the sensor strip show it, and `/metrics`
 * exports it. Notifications judge its duration (`readings/air/judge-reading.ts`).
 */
export interface LevelNow {
  /** The worst level of any metric. Null if no metric has thresholds and a measurement, or if the air would be good but for a fault. */
  level: Level | null;
  /** The metrics that have thresholds and whose newest value isn't faulty, in display order. */
  metrics: MetricNow[];
  fault: SensorFault | null;
}

export interface MetricNow {
  metric: Metric;
  threshold: Threshold;
  /** The newest value. */
  value: number;
  /** The worst level of the values, without faulty ones. */
  level: Level;
}

/** Returns the severity of a metric's newest value, which is comparable between metrics. */
export const severityNow = ({ value, threshold, metric }: MetricNow): number =>
  severityOf(value, threshold, metric);

/** A value that no working sensor reports, of a metric that has thresholds. */
export interface SensorFault {
  metric: Metric;
  value: number;
  /** False if the metric's newest value is no longer faulty. */
  isNow: boolean;
}

/**
 * Returns the worst level of any value in some readings.
 *
 * @param readings oldest first, at least one
 */
export function levelNow(readings: readonly MetricValues[], thresholds: Thresholds): LevelNow {
  const metrics = METRICS.flatMap((metric): MetricNow[] => {
    const sides = thresholdsOf(metric, thresholds);
    const values = sides.length > 0 ? valuesOf(readings, metric) : [];
    const value = values.at(-1);
    if (value === undefined || isFaulty(value, metric)) return [];
    const measured = values.filter((each) => !isFaulty(each, metric));
    const both = sides.map((threshold): MetricNow => {
      const worst = isLowBad(threshold) ? Math.min(...measured) : Math.max(...measured);
      return { metric, threshold, value, level: levelOf(worst, threshold) };
    });
    return [both.reduce((worse, side) => (isWorse(side.level, worse.level) ? side : worse))];
  });
  const level = metrics.reduce(
    (worst: Level | null, each) => (worst && isWorse(worst, each.level) ? worst : each.level),
    null,
  );
  const fault = faultOf(readings, thresholds);
  return { level: fault && level === 'good' ? null : level, metrics, fault };
}

function valuesOf(readings: readonly MetricValues[], { field }: Metric): number[] {
  return readings.flatMap((reading) => reading[field] ?? []);
}

/** Returns the newest faulty value of a metric with levels; null if no value is faulty. */
function faultOf(readings: readonly MetricValues[], thresholds: Thresholds): SensorFault | null {
  for (const metric of METRICS) {
    if (!hasLevels(metric, thresholds)) continue;
    const values = valuesOf(readings, metric);
    const newest = values.findLastIndex((value) => isFaulty(value, metric));
    const value = values[newest];
    if (value !== undefined) return { metric, value, isNow: newest === values.length - 1 };
  }
  return null;
}

/** Returns the metric that causes a level, if it isn't the first metric (which is always shown); otherwise undefined. */
export function otherCause(
  { metrics }: Pick<LevelNow, 'metrics'>,
  level: Level | null,
): MetricNow | undefined {
  return metrics[0]?.level === level ? undefined : metrics.find((each) => each.level === level);
}

/** The verdict improves only after a better level has lasted for this many readings or this long. */
const SETTLING_READINGS = 5;
const SETTLING_MS = 60_000;

/**
 * Returns the readings that decide the verdict, oldest first: the newest, and earlier ones until there are five or they
 * span a minute. Readings before a silence don't count. The verdict is the worst level of these readings, so it gets
 * worse at once but better only after a while.
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

/** A sensor's air by its newest reading, which is all that a page knows of sensors that it doesn't show. */
export interface SensorNow extends LevelNow {
  freshness: Freshness;
}

/**
 * Judges a sensor by its newest reading, with the sensor's own settings.
 *
 * @param thresholds those of the server
 * @param now the server's clock in milliseconds
 * @param freshness the newest reading's freshness, if more readings of the sensor are known
 */
export function sensorNow(
  { newest, ...own }: Pick<SensorSummary, 'newest' | 'thresholds' | 'silent_after_seconds'>,
  thresholds: Thresholds,
  now: number,
  freshness: Freshness = freshnessOfOne(newest, now, silentAfterMsFor(null, own)),
): SensorNow {
  return { ...levelNow([newest], thresholdsFor(thresholds, own.thresholds)), freshness };
}
