import { DEFAULT_RANGE } from '../../readings/chart/range';
import { isAhead } from '../../readings/now/stale';
import { UNNAMED } from '../../readings/reading';
import { type AskedSensor, firstByName } from '../../readings/sensor';
import { type ReadingStore, StoreUnavailableError } from '../../store/reading-store';
import type { InitialReadings } from '../initial-readings';

export interface InitialPage {
  initial: InitialReadings;
  /** The store's error message if it can't be reached; `initial` is then empty. */
  problem: string | null;
}

/**
 * Returns a sensor's newest readings, as many as the default range shows, and the number of stored readings up to
 * `capacity`. The page fetches the rest once it is interactive. If neither `chosen` nor `remembered` is given, the
 * first sensor by name is shown, which stays the same whichever sensor posts. If the store can't be reached, the result is empty with a `problem`.
 */
export async function initialReadings(
  store: ReadingStore,
  capacity: number,
  { chosen, remembered }: AskedSensor = {},
): Promise<InitialPage> {
  const serverTime = Date.now();
  const clockLeadMs = store.clockLeadMs?.();
  const isChosen = chosen !== undefined;
  const guess = chosen ?? remembered;
  try {
    // Reads the most likely sensor right away, so that nearly every page needs only one round trip to a hosted store.
    // Two, because the sensor without a name comes last.
    const readFirst = () => store.sensors(2);
    const [[last], sensors, guessed, first] = await Promise.all([
      // First, because the page later fetches readings above the newest id, but none below it.
      store.newest(1, { after: 0 }),
      store.lastHeard(guess),
      readSensor(store, capacity, guess),
      guess === undefined ? readFirst() : null,
    ]);
    const isKnown = chosen !== undefined || sensors.some(({ name }) => name === remembered);
    const named = isKnown ? [] : (first ?? (await readFirst()));
    const candidates = named.some(({ is_hidden }) => is_hidden) ? sensors : named;
    const sensor = (isKnown ? guess : firstByName(candidates)?.name) ?? UNNAMED;
    const isGuessed = guess === undefined ? sensors.length <= 1 : guess === sensor;
    const { readings, counted } = isGuessed ? guessed : await readSensor(store, capacity, sensor);
    const newest = readings.at(-1);
    // Readings from the future are the newest by time, and may crowd out those stored after them.
    const isFromFuture = newest && isAhead(newest, serverTime + (clockLeadMs ?? 0));
    const lastStored = isFromFuture ? await store.newest(2, { after: 0, sensor }) : undefined;
    // A reading stored between the two queries may be missing from the count.
    const count = Math.max(counted, readings.length);
    const known = { sensor, isChosen, sensors, readings, count, newestId: last?.id ?? 0, lastStored };
    return { initial: { ...known, serverTime, clockLeadMs }, problem: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const unknown = {
      sensor: guess ?? UNNAMED,
      isChosen,
      sensors: [],
      readings: [],
      count: 0,
      newestId: null,
    };
    return { initial: { ...unknown, serverTime }, problem: error.message };
  }
}

/** Returns no readings, only the newest id, for a page that shows only new inserts. */
export async function noReadings(store: ReadingStore, asked?: AskedSensor): Promise<InitialPage> {
  const { initial, problem } = await initialReadings(store, DEFAULT_RANGE.maxPoints, asked);
  return { initial: { ...initial, readings: [], lastStored: [], count: 0, startsEmpty: true }, problem };
}

async function readSensor(store: ReadingStore, capacity: number, sensor?: string) {
  const [readings, counted] = await Promise.all([
    store.newest(Math.min(capacity, DEFAULT_RANGE.maxPoints), { sensor }),
    store.count(capacity, sensor),
  ]);
  return { readings, counted };
}
