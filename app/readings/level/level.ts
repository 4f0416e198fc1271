import type { MetricField } from '../metric';

/** How good the air is, best first. */
export const LEVELS = ['good', 'moderate', 'poor'] as const;
export type Level = (typeof LEVELS)[number];

/** The thresholds of a metric: values below `good` are good, values below `moderate` moderate, all others poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/** The thresholds of every metric: settings of the server, such as `CO2_GOOD`. */
export type Thresholds = Record<MetricField, Threshold>;

/** The names of a metric's thresholds, the lower one first. */
export const THRESHOLD_NAMES = ['good', 'moderate'] as const;
export type ThresholdName = (typeof THRESHOLD_NAMES)[number];

/** Returns the level of a value. A threshold belongs to the worse side: 1000 PPM is moderate. */
export function levelOf(value: number, threshold: Threshold): Level {
  if (value < threshold.good) return 'good';
  return value < threshold.moderate ? 'moderate' : 'poor';
}

/** Returns true if the first level is worse than the second. */
export function isWorse(level: Level, other: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(other);
}

/** Returns true if a value is at a threshold or above. */
export function reaches(value: number, threshold: Threshold, name: ThresholdName): boolean {
  return LEVELS.indexOf(levelOf(value, threshold)) > THRESHOLD_NAMES.indexOf(name);
}

/**
 * Returns how bad a value is, to compare metrics: 0 for 0, 1 at the good threshold, 2 at the moderate one, and further on
 * the same scale.
 */
export function severityOf(value: number, { good, moderate }: Threshold): number {
  return value < good ? value / good : 1 + (value - good) / (moderate - good);
}
