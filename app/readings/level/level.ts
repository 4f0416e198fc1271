import type { Metric, Threshold, Thresholds } from '../metric';

/** The levels of air quality, best first. */
export const LEVELS = ['good', 'moderate', 'poor'] as const;
export type Level = (typeof LEVELS)[number];

/** The names of a metric's thresholds, lower one first. */
export const THRESHOLD_NAMES = ['good', 'moderate'] as const;
export type ThresholdName = (typeof THRESHOLD_NAMES)[number];

/** Returns the level of a value. A value at a threshold has the worse level: 1000 PPM is moderate. */
export function levelOf(value: number, threshold: Threshold): Level {
  if (value < threshold.good) return 'good';
  return value < threshold.moderate ? 'moderate' : 'poor';
}

export function isWorse(level: Level, other: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(other);
}

/** Returns true if a value is at or above a threshold. */
export function reaches(value: number, threshold: Threshold, name: ThresholdName): boolean {
  return LEVELS.indexOf(levelOf(value, threshold)) > THRESHOLD_NAMES.indexOf(name);
}

/**
 * Returns a value's severity, which is comparable between metrics: 0 for 0, 1 at the good threshold, 2 at the moderate one, and
 * linear beyond that.
 */
export function severityOf(value: number, { good, moderate }: Threshold): number {
  return value < good ? value / good : 1 + (value - good) / (moderate - good);
}

/** Thresholds with a lower bound: values below `least` count as moderate. */
export interface Bounds extends Threshold {
  least: number;
}

const UNBOUNDED: Bounds = {
  least: Number.NEGATIVE_INFINITY,
  good: Number.POSITIVE_INFINITY,
  moderate: Number.POSITIVE_INFINITY,
};

/**
 * Returns the bounds that roll-ups use to count a metric's time. Without thresholds, time inside the band counts as good and
 * time outside as moderate; without a band, all time counts as good.
 */
export function boundsOf({ field, band }: Metric, thresholds: Thresholds): Bounds {
  const threshold = thresholds[field];
  if (threshold) return { ...UNBOUNDED, ...threshold };
  return band ? { ...UNBOUNDED, least: band.from, good: band.to } : UNBOUNDED;
}

/** Returns the level under which roll-ups count a value's time. */
export function countedLevel(value: number, bounds: Bounds): Level {
  return value < bounds.least ? 'moderate' : levelOf(value, bounds);
}
