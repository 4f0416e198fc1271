import type { Reading } from './reading';
import { intervalsMs, median } from './sampling-interval';

/** Readings are missing between two that are further apart than this many usual intervals. */
const GAP_INTERVALS = 3;

/** A shorter pause is jitter of a fast sender, not a gap. */
const MIN_GAP_MS = 1000;

/**
 * Finds where readings are missing, judged by the median interval of all given readings.
 *
 * @param readings oldest first
 * @returns for each reading, true if no line may be drawn to it from the one before
 */
export function findGaps(readings: readonly Reading[]): boolean[] {
  const intervals = intervalsMs(readings);
  const limit = Math.max(MIN_GAP_MS, GAP_INTERVALS * (median(intervals) ?? 0));
  return [false, ...intervals.map((interval) => interval > limit)].slice(0, readings.length);
}
