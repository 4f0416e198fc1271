import { serverTimeAt } from '../live/browser/server-clock';
import type { LiveReadings } from '../live/browser/use-readings';
import { type Freshness, freshnessOf, isSilent } from '../readings/now/stale';
import { useNow } from './hydration';
import { useSilentAfterMs } from './page-contexts';

/** Uses `performance.now()`, which doesn't change if someone sets the system clock. */
const readClock = () => performance.now();

export type DatedReadings = Pick<
  LiveReadings,
  'sensor' | 'sensors' | 'history' | 'hasLoaded' | 'last' | 'connection' | 'clock'
>;

interface KnownFreshness {
  freshness: Freshness;
  /** The last reading's age in milliseconds, by the server's clock; null without readings. */
  ageMs: number | null;
  serverNow: number;
  /** True if the sensor has to be checked. */
  isSilent: boolean;
}

/** Returns the freshness of a page's last reading, updated every second. */
export function useFreshness(readings: DatedReadings): KnownFreshness {
  const { history, hasLoaded, last, connection, clock } = readings;
  const serverNow = serverTimeAt(clock, useNow(readClock));
  const isDisconnected = !hasLoaded || connection.state === 'disconnected';
  const isChecking = connection.state === 'live' && connection.isChecking;
  const known = { last, readings: history, silentAfterMs: useSilentAfterMs(readings) };
  return {
    freshness: freshnessOf({ ...known, isDisconnected, isChecking }, serverNow),
    isSilent: isSilent(known, serverNow),
    ageMs: last && serverNow - Date.parse(last.created_at),
    serverNow,
  };
}
