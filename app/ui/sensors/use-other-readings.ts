import { useEffect, useState } from 'react';
import { useLive } from '../../live/browser/use-live';
import {
  longestUsualMs,
  MAX_STALE_MS,
  MIN_STALE_MS,
  msBetween,
  STALE_INTERVALS,
} from '../../readings/now/stale';
import { compareReadings, type Reading, type SensorSummary } from '../../readings/reading';

/** The number of newest readings that show a sensor's usual interval. */
const NEEDED = 40;

type Known = ReadonlyMap<string, readonly Reading[]>;

/**
 * Returns recent readings of the sensors that a page lists, oldest first, by name. A page knows only the newest reading
 * of the sensors that it doesn't show, and not how often they send. Where that decides if the reading is current, their
 * readings are fetched, and new ones are added as they arrive.
 *
 * @param now the server's clock in milliseconds
 */
export function useOtherReadings(sensors: readonly SensorSummary[], shown: string, now: number): Known {
  const [known, setKnown] = useState<Known>(new Map());
  useEffect(() => setKnown((before) => withArrivals(before, sensors)), [sensors]);
  const unsure = sensors.find(({ name, newest }) => {
    const ageMs = now - Date.parse(newest.created_at);
    return name !== shown && !known.has(name) && ageMs > MIN_STALE_MS && ageMs <= MAX_STALE_MS;
  });

  const address = `/api/data?${new URLSearchParams({ sensor: unsure?.name ?? '', limit: String(NEEDED) })}`;
  const question = unsure ? { address, ...unsure } : null;
  const { answered } = useLive<Reading[], { address: string } & SensorSummary>(question);
  useEffect(() => {
    if (!answered) return;
    const { name, newest } = answered.question;
    setKnown((before) => new Map(before).set(name, withNewest(answered.answer, newest)));
  }, [answered]);

  return known;
}

/**
 * Adds the newest readings to the known ones. Forgets those of a sensor after an unusually long interval, because the page may have
 * missed readings, for example while it was hidden. Returns the same map if nothing has changed.
 */
export function withArrivals(known: Known, sensors: readonly SensorSummary[]): Known {
  const next = new Map(known);
  for (const { name, newest } of sensors) {
    const before = known.get(name);
    const last = before?.at(-1);
    if (!before || !last || compareReadings(newest, last) <= 0) continue;
    const longestMs = Math.max(MIN_STALE_MS, STALE_INTERVALS * longestUsualMs(before));
    if (msBetween(last, newest) <= longestMs) next.set(name, [...before, newest].slice(-NEEDED));
    else next.delete(name);
  }
  return [...next].every(([name, readings]) => known.get(name) === readings) && next.size === known.size
    ? known
    : next;
}

/** Adds a sensor's newest reading to its known ones, which were fetched earlier. */
export function withNewest(known: readonly Reading[], newest: Reading): readonly Reading[] {
  const last = known.at(-1);
  return last && compareReadings(newest, last) <= 0 ? known : [...known, newest];
}
