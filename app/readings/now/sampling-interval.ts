import type { Reading } from '../reading';
import { formatLongDuration } from '../time/format-duration';

/** The usual interval is learnt from this many of the latest pauses, */
const LATEST_PAUSES = 8;

/** or from all that ended this shortly before the newest reading, so that a burst doesn't hide the pauses before it. */
const LATEST_MS = 900_000;

/**
 * Returns the usual time between readings: the longest of the latest pauses but one, so that a single outage doesn't
 * count; or the newest pause if that is longer, because the sensor may have slowed down.
 *
 * @param readings oldest first
 * @param count only this many of the readings are known, the oldest
 * @returns milliseconds; null for fewer than two readings
 */
export function samplingIntervalMs(
  readings: readonly Reading[],
  count: number = readings.length,
): number | null {
  if (count < 2) return null;
  const newest = timeOf(readings[count - 1] as Reading);
  const newestPause = newest - timeOf(readings[count - 2] as Reading);
  let longest = 0;
  let longestButOne = 0;
  let end = newest;
  for (let i = count - 2; i >= 0; i--) {
    if (count - i > LATEST_PAUSES + 1 && newest - end > LATEST_MS) break;
    const start = timeOf(readings[i] as Reading);
    const pause = end - start;
    longestButOne = Math.max(longestButOne, Math.min(longest, pause));
    longest = Math.max(longest, pause);
    end = start;
  }
  return Math.max(newestPause, longestButOne);
}

/**
 * Returns the interval in which a sensor sends: the median of its latest pauses, so that neither an outage nor a burst
 * counts.
 *
 * @param readings oldest first
 * @returns milliseconds; null for fewer than three readings, whose only pause may be an outage
 */
export function usualIntervalMs(readings: readonly Reading[]): number | null {
  const latest = readings.slice(-LATEST_PAUSES - 1);
  if (latest.length < 3) return null;
  const pauses = latest.slice(1).map((reading, i) => pauseMs(latest[i] as Reading, reading));
  // The shorter one of the two in the middle.
  return pauses.sort((a, b) => a - b)[Math.ceil(pauses.length / 2) - 1] ?? null;
}

/** Formats an interval to the minute: `every hour`, `every 10 min`, `every day`. */
export function formatInterval(ms: number): string {
  const text = formatLongDuration(Math.round(ms / 60_000) * 60_000);
  return `every ${{ '1 h': 'hour', '1 d': 'day' }[text] ?? text}`;
}

/** Returns the milliseconds from one reading to another. */
export function pauseMs(from: Reading, to: Reading): number {
  return timeOf(to) - timeOf(from);
}

function timeOf(reading: Reading): number {
  return Date.parse(reading.created_at);
}
