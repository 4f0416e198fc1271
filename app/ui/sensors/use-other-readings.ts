import { useEffect, useState } from 'react';
import { useLive } from '../../live/browser/use-live';
import { MAX_STALE_MS, MIN_STALE_MS } from '../../readings/now/stale';
import { compareReadings, type Reading, type SensorSummary } from '../../readings/reading';

/** The number of newest readings that show a sensor's usual interval. */
const NEEDED = 40;

/**
 * Returns recent readings of the sensors that a page lists, oldest first, by name. A page knows only the newest reading
 * of the sensors that it doesn't show, and not how often they send. Where that decides if the reading is current, their
 * readings are fetched, once for each sensor.
 *
 * @param now the server's clock in milliseconds
 */
export function useOtherReadings(
  sensors: readonly SensorSummary[],
  shown: string,
  now: number,
): ReadonlyMap<string, readonly Reading[]> {
  const [known, setKnown] = useState<ReadonlyMap<string, readonly Reading[]>>(new Map());
  const unsure = sensors.find(({ name, newest }) => {
    const ageMs = now - Date.parse(newest.created_at);
    return name !== shown && !known.has(name) && ageMs > MIN_STALE_MS && ageMs <= MAX_STALE_MS;
  })?.name;

  const address = `/api/data?${new URLSearchParams({ sensor: unsure ?? '', limit: String(NEEDED) })}`;
  const question = unsure === undefined ? null : { address, sensor: unsure };
  const { answered } = useLive<Reading[], { address: string; sensor: string }>(question);
  useEffect(() => {
    if (answered) setKnown((before) => new Map(before).set(answered.question.sensor, answered.answer));
  }, [answered]);

  return known;
}

/** Adds a sensor's newest reading to its known ones, which were fetched earlier. */
export function withNewest(known: readonly Reading[], newest: Reading): readonly Reading[] {
  const last = known.at(-1);
  return last && compareReadings(newest, last) <= 0 ? known : [...known, newest];
}
