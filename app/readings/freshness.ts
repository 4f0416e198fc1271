import { type Level, levelOf, worseLevel } from './level';
import { METRICS, type Reading } from './reading';
import { staleAfterMs } from './spacing';

/** Whether inserts reach the page; `since` is the viewer's clock, in milliseconds. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'disconnected'; since: number; reason?: string };

/**
 * What the server's clock showed when the viewer's showed `viewerTime`, in milliseconds. The viewer's is the
 * one that only runs on (`performance.now()`): the time of day may be set while the page is open.
 */
export interface Clock {
  serverTime: number;
  /** Null until the page has looked at the viewer's clock: the server can't. */
  viewerTime: number | null;
}

/**
 * The server's time, in milliseconds: ages are measured against it, because the viewer's clock may be wrong.
 *
 * @param now the viewer's clock, null where it has not been looked at
 */
export function serverTimeAt({ serverTime, viewerTime }: Clock, now: number | null): number {
  return now === null || viewerTime === null ? serverTime : serverTime + now - viewerTime;
}

/** What a page may claim about the air: only `live` readings speak of now. */
export type Freshness = 'none' | 'live' | 'stale' | 'disconnected';

/**
 * How far the newest reading can be trusted.
 *
 * @param readings oldest first
 * @param now the server's clock, in milliseconds: the viewer's may be wrong
 */
export function freshnessOf(readings: readonly Reading[], now: number, connection: Connection): Freshness {
  if (connection.state === 'disconnected') return 'disconnected';
  const newest = readings.at(-1);
  if (!newest) return 'none';
  return now - Date.parse(newest.created_at) > staleAfterMs(readings) ? 'stale' : 'live';
}

/** A length of time for a person: `12 s`, `4 min`, `3 h`, `2 d`. Never negative. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** The level of a whole reading: the worse of its two metrics. */
export function readingLevel(reading: Reading): Level {
  return METRICS.map(({ field, threshold }) => levelOf(reading[field], threshold)).reduce(worseLevel);
}
