import { isAhead } from '../../readings/freshness';
import { DEFAULT_RANGE } from '../../readings/range';
import type { ReadingStore } from '../../store/reading-store';
import { StoreUnavailableError } from '../../store/reading-store';
import type { InitialReadings } from '../initial-readings';

/** The readings that a page is rendered with. */
export interface InitialPage {
  initial: InitialReadings;
  /** The store's error message if it can't be reached: `initial` is empty then. */
  problem: string | null;
}

/**
 * Returns the newest readings, as many as the default range shows, and how many are stored, counted up to
 * `capacity`. The page fetches the rest once it is interactive, so that the number of stored readings
 * doesn't delay its first paint.
 *
 * If the store can't be reached, the page is empty, says so and tries again, rather than being an error page.
 *
 * @param capacity the largest number of readings that the page will hold
 */
export async function initialReadings(store: ReadingStore, capacity: number): Promise<InitialPage> {
  const serverTime = Date.now();
  try {
    const newest = Math.min(capacity, DEFAULT_RANGE.maxPoints);
    const [readings, counted] = await Promise.all([store.newest(newest), store.count(capacity)]);
    const last = readings.at(-1);
    // Readings from the future are the newest by time, and may leave no room for those stored after them.
    const lastStored = last && isAhead(last, serverTime) ? await store.newest(2, 0) : undefined;
    // A reading stored between the two queries may be missing from the count.
    const count = Math.max(counted, readings.length);
    const newestId = newestIdOf([...readings, ...(lastStored ?? [])]);
    return { initial: { readings, count, newestId, lastStored, serverTime }, problem: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { initial: { readings: [], count: 0, newestId: null, serverTime }, problem: error.message };
  }
}

/** Returns no readings, only the newest id, for a page that shows new inserts alone. */
export async function noReadings(store: ReadingStore): Promise<InitialPage> {
  const { initial, problem } = await initialReadings(store, DEFAULT_RANGE.maxPoints);
  return { initial: { ...initial, readings: [], lastStored: [], count: 0, startsEmpty: true }, problem };
}

function newestIdOf(readings: InitialReadings['readings']): number {
  return Math.max(0, ...readings.map(({ id }) => id));
}
