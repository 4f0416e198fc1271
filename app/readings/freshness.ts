import type { Reading } from './reading';
import { samplingIntervalMs } from './sampling-interval';

/** The newest reading is stale when it is older than this many usual intervals. */
const STALE_INTERVALS = 3;

/** The newest reading is never stale before this age, however fast the sensor is. */
const MIN_STALE_MS = 45_000;

/** How far the last reading can be trusted. Only a `live` reading describes the air now. */
export type Freshness = 'none' | 'live' | 'ahead' | 'stale' | 'disconnected';

/** Times up to this far apart may be the same: the page estimates the server's clock, and the hosted store has its own. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** What freshness depends on. */
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
  return now - Date.parse(last.created_at) > staleAfterMs(readings) ? 'stale' : 'live';
}

/**
 * Returns true if a reading is from the future: the server's clock was set back after it was stored.
 *
 * @param now the server's clock in milliseconds
 */
export function isAhead({ created_at }: Reading, now: number): boolean {
  return Date.parse(created_at) - now > CLOCK_TOLERANCE_MS;
}

/** Returns the age in milliseconds above which the newest of these readings is stale. */
function staleAfterMs(readings: readonly Reading[]): number {
  return Math.max(MIN_STALE_MS, STALE_INTERVALS * (samplingIntervalMs(readings) ?? 0));
}
