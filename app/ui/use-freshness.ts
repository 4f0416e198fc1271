import { serverTimeAt } from '../live/browser/server-clock';
import type { LiveReadings } from '../live/browser/use-readings';
import { type Freshness, freshnessOf } from '../readings/now/stale';
import { useNow } from './hydration';

/** Unlike the time of day, nobody can set this clock. */
const readClock = () => performance.now();

export type DatedReadings = Pick<LiveReadings, 'history' | 'hasLoaded' | 'last' | 'connection' | 'clock'>;

interface KnownFreshness {
  freshness: Freshness;
  /** The age of the last reading in milliseconds, by the server's clock; null if there is no reading. */
  ageMs: number | null;
  serverNow: number;
}

/** Judges a page's last reading every second, by the same rule everywhere on the page. */
export function useFreshness({ history, hasLoaded, last, connection, clock }: DatedReadings): KnownFreshness {
  const serverNow = serverTimeAt(clock, useNow(readClock));
  const isDisconnected = !hasLoaded || connection.state === 'disconnected';
  return {
    freshness: freshnessOf({ last, readings: history, isDisconnected }, serverNow),
    ageMs: last && serverNow - Date.parse(last.created_at),
    serverNow,
  };
}
