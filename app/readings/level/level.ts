import type { Threshold } from './threshold';

/** How good the air is, best first. */
export const LEVELS = ['good', 'moderate', 'poor'] as const;
export type Level = (typeof LEVELS)[number];

/** Returns the level of a value. A limit belongs to the worse side: 1000 PPM is moderate (specification, section 4). */
export function levelOf(value: number, threshold: Threshold): Level {
  if (value < threshold.good) return 'good';
  return value < threshold.moderate ? 'moderate' : 'poor';
}

/**
 * Returns how bad a value is, to compare metrics: 0 for 0, 1 at the good limit, 2 at the moderate one, and on from there
 * as from the first limit to the second.
 */
export function severityOf(value: number, { good, moderate }: Threshold): number {
  return value < good ? value / good : 1 + (value - good) / (moderate - good);
}
