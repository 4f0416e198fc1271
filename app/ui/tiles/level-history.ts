import { isAfterSilence } from '../../readings/now/freshness';
import { pauseMs } from '../../readings/now/sampling-interval';
import type { Reading } from '../../readings/reading';

/** A better level has to last for this many readings or this long before the verdict follows it. */
const SETTLING_READINGS = 5;
const SETTLING_MS = 60_000;

/**
 * Returns the readings that the verdict depends on, oldest first: the newest five, or those back to the first that is a
 * minute older than the newest if these are fewer. None from before a silence. The worst of them is a level that changes
 * for the worse at once, for the better only when that has lasted, and that is the same on every page.
 *
 * @param readings oldest first
 */
export function settlingReadings(readings: readonly Reading[]): readonly Reading[] {
  const newest = readings.at(-1);
  let start = Math.max(0, readings.length - 1);
  while (
    newest &&
    readings.length - start < SETTLING_READINGS &&
    pauseMs(readings[start] as Reading, newest) < SETTLING_MS &&
    !isAfterSilence(readings, start)
  ) {
    start -= 1;
  }
  return readings.slice(start);
}

/** The readings since which a condition holds. */
export interface Lasting {
  /** Oldest first, up to the newest. */
  readings: readonly Reading[];
  /** True if nothing is known of the time before them: the condition may have held for longer. */
  isAtLeast: boolean;
}

/**
 * Returns the newest readings for all of which a condition holds, as far as they show it: not across a silence.
 *
 * @param readings oldest first; the condition holds for the newest
 */
export function lastingReadings(readings: readonly Reading[], holds: (reading: Reading) => boolean): Lasting {
  let start = readings.length - 1;
  while (!isAfterSilence(readings, start) && holds(readings[start - 1] as Reading)) start -= 1;
  return { readings: readings.slice(start), isAtLeast: isAfterSilence(readings, start) };
}
