import type { MetricField } from '../metric';

/** How good the air is, best first. */
export const LEVELS = ['good', 'moderate', 'poor'] as const;
export type Level = (typeof LEVELS)[number];

/** Limits of a metric: values below `good` are good, below `moderate` are moderate, the rest are poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/** The limits of every metric. They are settings of the server (`CO2_GOOD` and the like). */
export type Thresholds = Record<MetricField, Threshold>;

/** The names of a metric's limits, the lower one first. */
export const LIMITS = ['good', 'moderate'] as const;
export type Limit = (typeof LIMITS)[number];

/** Returns the level of a value. A limit belongs to the worse side: 1000 PPM is moderate. */
export function levelOf(value: number, threshold: Threshold): Level {
  if (value < threshold.good) return 'good';
  return value < threshold.moderate ? 'moderate' : 'poor';
}

/** Returns true if the first level is worse than the second. */
export function isWorse(level: Level, other: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(other);
}

/** Returns true if a value is at a limit or above. */
export function isBeyondLimit(value: number, threshold: Threshold, limit: Limit): boolean {
  return LEVELS.indexOf(levelOf(value, threshold)) > LIMITS.indexOf(limit);
}

/**
 * Returns how bad a value is, to compare metrics: 0 for 0, 1 at the good limit, 2 at the moderate one, and on from there
 * as from the first limit to the second.
 */
export function severityOf(value: number, { good, moderate }: Threshold): number {
  return value < good ? value / good : 1 + (value - good) / (moderate - good);
}
