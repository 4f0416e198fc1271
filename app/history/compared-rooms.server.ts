import type { ComparedRoom } from '../readings/history/compared-room';
import type { SensorSummary } from '../readings/reading';
import { getSettings, settingsFor } from '../store/open-store.server';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { pageNumbers } from './page-numbers.server';

interface Page {
  /** The sensors that the page lists. */
  sensors: readonly SensorSummary[];
  search: string;
  /** The server's clock in milliseconds since 1970. */
  now: number;
}

/**
 * Returns the rooms of a page that compares several, in the order of the address. A former name counts as the current one.
 *
 * @param asked the sensors that the address names; null is returned for fewer than two
 */
export async function comparedRooms(
  store: ReadingStore,
  asked: readonly string[],
  { sensors, search, now }: Page,
): Promise<ComparedRoom[] | null> {
  const names = [...new Set(asked.map((name) => getSettings().nameOf(name)))];
  if (names.length < 2) return null;
  return Promise.all(
    names.map(async (sensor) => {
      const isNamed = ({ name }: SensorSummary) => name === sensor;
      const summary = sensors.find(isNamed) ?? (await listed(store, sensor)).find(isNamed) ?? null;
      const shown = { sensor, sensors: summary ? [summary] : [] };
      const { thresholds } = settingsFor(sensor);
      return { sensor, summary, numbers: await pageNumbers(store, shown, search, thresholds, now) };
    }),
  );
}

/** Returns a list of sensors that includes `sensor` if it has readings; none if the store can't be reached. */
async function listed(store: ReadingStore, sensor: string): Promise<SensorSummary[]> {
  try {
    return await store.lastHeard(sensor);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return [];
    throw error;
  }
}
