import type { Reading } from './reading';
import { staleAfterMs } from './sampling-interval';

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
