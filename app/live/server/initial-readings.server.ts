import { DEFAULT_RANGE } from '../../readings/range';
import type { ReadingStore } from '../../store/reading-store';
import { StoreUnavailableError } from '../../store/reading-store';
import type { InitialReadings } from '../initial-readings';

/** What a page is rendered with, and why it is less than it should be where the store can't be reached. */
export interface InitialPage {
  initial: InitialReadings;
  problem: string | null;
}

/**
 * The newest readings, as many as the default range shows, and how many there are, counted up to `keep`.
 * The rest is fetched by the page once it is interactive: its first paint costs the same however many
 * readings are stored.
 *
 * A store that can't be reached makes an empty page that says so and tries again, not an error page.
 */
export async function initialReadings(store: ReadingStore, keep: number): Promise<InitialPage> {
  const serverTime = Date.now();
  try {
    const newest = Math.min(keep, DEFAULT_RANGE.maxPoints);
    const [readings, counted] = await Promise.all([store.newest(newest), store.count(keep)]);
    // What was stored between the two queries is in one of them.
    const count = Math.max(counted, readings.length);
    return { initial: { readings, count, newestId: newestIdOf(readings), serverTime }, problem: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { initial: { readings: [], count: 0, newestId: null, serverTime }, problem: error.message };
  }
}

/** The same for a page that is given no readings: only where its own begin. */
export async function noReadings(store: ReadingStore): Promise<InitialPage> {
  const { initial, problem } = await initialReadings(store, DEFAULT_RANGE.maxPoints);
  return { initial: { ...initial, readings: [], count: 0, startsEmpty: true }, problem };
}

function newestIdOf(readings: InitialReadings['readings']): number {
  return Math.max(0, ...readings.map(({ id }) => id));
}
