import { compareReadings, type Reading } from '../reading';
import { MAX_STALE_MS, MIN_STALE_MS, STALE_INTERVALS, staleAgeMs } from '../time/stale-age';
import { pauseMs, samplingIntervalMs, usualIntervalMs } from './sampling-interval';

/**
 * How far the last reading can be trusted. Only a `live` reading describes the air now. A `slow` one doesn't, but its
 * sensor sends no more often; after a `stale` one the sensor has missed readings.
 */
export type Freshness = 'none' | 'live' | 'ahead' | 'slow' | 'stale' | 'disconnected';

/** The server takes readings from a clock that is at most this far ahead of its own. */
export const MAX_AHEAD_MS = 60_000;

/**
 * Times up to this far apart may be the same: sensors, the server and the hosted store have clocks of their own, and a
 * page's estimate of the server's is up to a second behind, or by as much as an answer took.
 */
export const CLOCK_TOLERANCE_MS = MAX_AHEAD_MS + 5000;

/** The values that freshness depends on. */
interface Known {
  /** The newest reading; the one stored last if the newest is from the future. */
  last: Reading | null;
  /** Oldest first. */
  readings: readonly Reading[];
  /** True if new readings don't reach the page. */
  isDisconnected: boolean;
}

/**
 * Judges how far the last reading can be trusted.
 *
 * @param now the server's clock in milliseconds, because the viewer's may be wrong
 */
export function freshnessOf({ last, readings, isDisconnected }: Known, now: number): Freshness {
  if (isDisconnected) return 'disconnected';
  if (!last) return 'none';
  if (isAhead(last, now)) return 'ahead';
  const known = readingsUntil(readings, last);
  const ageMs = now - Date.parse(last.created_at);
  if (ageMs <= staleAfterMs(known)) return 'live';
  return ageMs <= STALE_INTERVALS * (usualIntervalMs(known) ?? 0) ? 'slow' : 'stale';
}

/**
 * Returns true if a reading is from the future: the server's clock was set back after it was stored, or the sensor's was
 * ahead of it.
 *
 * @param now the server's clock in milliseconds
 */
export function isAhead({ created_at }: Reading, now: number): boolean {
  return Date.parse(created_at) - now > CLOCK_TOLERANCE_MS;
}

/**
 * Returns the readings up to the last one, which leaves out those from the future.
 *
 * @param readings oldest first
 * @param last added if it is missing, because a page keeps only the newest readings
 */
export function readingsUntil(readings: readonly Reading[], last: Reading): readonly Reading[] {
  if (readings.at(-1) === last) return readings;
  return [...readings.filter((reading) => compareReadings(reading, last) < 0), last];
}

/**
 * Returns true if the air wasn't known any more when the reading at `index` came: the one before it wasn't live by then,
 * so nothing is known of the time between them.
 *
 * @param readings oldest first
 */
export function isAfterSilence(readings: readonly Reading[], index: number): boolean {
  const [before, reading] = [readings[index - 1], readings[index]];
  if (!before || !reading) return true;
  const pause = pauseMs(before, reading);
  if (pause <= MIN_STALE_MS || pause > MAX_STALE_MS) return pause > MAX_STALE_MS;
  // The usual interval is at least the latest pause. Most pauses end here; learning the interval takes longer.
  const earlier = readings[index - 2];
  if (earlier && pause <= STALE_INTERVALS * pauseMs(earlier, before)) return false;
  return pause > staleAfterMs(readings, index);
}

/** Returns the age in milliseconds above which the newest of the oldest `count` readings isn't live any more. */
function staleAfterMs(readings: readonly Reading[], count?: number): number {
  return staleAgeMs(samplingIntervalMs(readings, count) ?? 0);
}
