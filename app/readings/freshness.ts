import type { Reading } from './reading';
import { samplingIntervalMs } from './sampling-interval';

/** The newest reading is stale when it is older than this many usual intervals. */
const STALE_INTERVALS = 3;

/** The newest reading is never stale before this age, however fast the sensor is. */
const MIN_STALE_MS = 45_000;

/** How far the newest reading can be trusted. Only a `live` reading describes the air now. */
export type Freshness = 'none' | 'live' | 'stale' | 'disconnected';

/**
 * Judges how far the newest reading can be trusted.
 *
 * @param readings oldest first
 * @param now the server's clock in milliseconds, because the viewer's may be wrong
 * @param isDisconnected true if new readings don't reach the page
 */
export function freshnessOf(readings: readonly Reading[], now: number, isDisconnected: boolean): Freshness {
  if (isDisconnected) return 'disconnected';
  const newest = readings.at(-1);
  if (!newest) return 'none';
  return now - Date.parse(newest.created_at) > staleAfterMs(readings) ? 'stale' : 'live';
}

/** Returns the age in milliseconds above which the newest of these readings is stale. */
function staleAfterMs(readings: readonly Reading[]): number {
  return Math.max(MIN_STALE_MS, STALE_INTERVALS * (samplingIntervalMs(readings) ?? 0));
}
