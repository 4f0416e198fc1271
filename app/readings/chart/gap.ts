import { at } from '../at';
import type { Reading } from '../reading';

/** A time without readings: `created_at` of the last reading before it and of the first after it, if these are known. */
export interface Gap {
  from: string;
  to: string;
  /**
   * The length of the steps in milliseconds if one of the two times is only the bound of a step, or of what is known: the
   * gap is longer than the time between them. Undefined if both are exact.
   */
  withinMs?: number;
}

/** A gap with its place on the time axis of a chart: where it starts and ends, in the unit of the axis. */
export interface PlacedGap {
  start: number;
  end: number;
  gap: Gap;
}

/** Readings are missing between two that are further apart than this many usual intervals. */
const GAP_INTERVALS = 3;

/** A shorter interval is jitter of a fast sender, not a gap. */
const MIN_GAP_MS = 1000;

/** How many intervals on each side of one are its neighbours. Five new ones in a row are a new interval, three at an end. */
const NEIGHBOURS = 4;

/** How many readings before the first in use `findGaps` needs to judge it by all of its neighbours. */
export const GAP_LOOKBACK = 2 * NEIGHBOURS;

/**
 * Finds where readings are missing.
 *
 * @param readings oldest first
 * @returns for each reading, true if readings are missing between it and the one before
 */
export function findGaps(readings: readonly Pick<Reading, 'created_at'>[]): boolean[] {
  return findGapsBetween(readings.map(({ created_at }) => Date.parse(created_at)));
}

/**
 * Does the same for times in milliseconds. An interval is a gap if it is too long for every stretch of intervals around it,
 * so the last interval of a slow sensor is none, nor is the first of one.
 */
export function findGapsBetween(times: readonly number[]): boolean[] {
  const intervals = times.slice(1).map((time, i) => time - at(times, i));
  // A median of each stretch for each reading would take longer than everything else that a reading changes.
  const usual = new Map<number, number>();
  const usualAround = (center: number) => {
    const known = usual.get(center) ?? median(around(intervals, center));
    usual.set(center, known);
    return known;
  };
  const isGap = (interval: number, i: number) => {
    if (interval <= MIN_GAP_MS) return false;
    const limit = interval / GAP_INTERVALS;
    if (Math.min(...around(intervals, i)) >= limit) return false;
    for (let center = Math.max(0, i - NEIGHBOURS); center <= i + NEIGHBOURS; center++) {
      if (center < intervals.length && usualAround(center) >= limit) return false;
    }
    return true;
  };
  return [false, ...intervals.map(isGap)].slice(0, times.length);
}

/** Returns the middle number, the lower of two for an even count. */
function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

/** Returns the intervals around one, itself included. */
function around(intervals: readonly number[], center: number): readonly number[] {
  return intervals.slice(Math.max(0, center - NEIGHBOURS), center + NEIGHBOURS + 1);
}
