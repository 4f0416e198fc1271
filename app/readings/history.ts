import { isAhead } from './freshness';
import { HISTORY_LIMIT } from './range';
import { compareReadings, type Reading } from './reading';

/** Readings that a history starts from. */
export interface KnownReadings {
  /** The newest readings, oldest first; fewer than `count` if the rest is fetched later. */
  readings: Reading[];
  /** How many stored readings there are to show. */
  count: number;
  /** The highest stored id of any sensor; null if the store couldn't be read. */
  newestId: number | null;
  /** The two readings with the highest ids, if `readings` may lack them. */
  lastStored?: Reading[];
}

/** The newest readings of a sensor, as far as they are known. */
export interface History {
  /** Oldest first, unique by id, at most `capacity`. */
  readings: readonly Reading[];
  /** The two readings with the highest ids, in that order. They may be missing from `readings`. */
  lastStored: readonly Reading[];
  /** How many readings exist, up to `capacity`. More than `readings` holds until the rest is fetched. */
  count: number;
  capacity: number;
  /** The highest id that was stored when `count` was counted. Readings above it are added to it as they come. */
  countedTo: number;
}

/** Starts a history. `capacity` bounds it, so that a page left open doesn't grow. */
export function startHistory(initial: KnownReadings, capacity: number = HISTORY_LIMIT): History {
  const { readings, count, newestId, lastStored = [] } = initial;
  return {
    readings: readings.slice(-capacity),
    lastStored: lastTwoById([...readings, ...lastStored]),
    count: Math.min(count, capacity),
    capacity,
    countedTo: newestId ?? 0,
  };
}

/**
 * Adds readings, each in its place in time. Ignores those it already has and drops the oldest above `capacity`. Takes
 * about as long for one reading as for a thousand.
 *
 * @returns the same object if nothing is new
 */
export function addReadings(history: History, added: readonly Reading[]): History {
  const ids = new Set(history.readings.map(({ id }) => id));
  const unseen = added.filter(({ id }) => !ids.has(id) && ids.add(id));
  if (unseen.length === 0) return history;
  const inserted = unseen.filter(({ id }) => id > history.countedTo).length;
  const readings = [...history.readings, ...unseen].sort(compareReadings).slice(-history.capacity);
  return {
    ...history,
    readings,
    lastStored: lastTwoById([...history.lastStored, ...unseen]),
    count: Math.min(history.capacity, Math.max(history.count + inserted, readings.length)),
  };
}

/**
 * Adds readings fetched from the store, if any.
 *
 * @param isFullHistory true if these are all that the store holds, up to `capacity`; corrects `count`
 */
export function catchUp(history: History, fetched: readonly Reading[], isFullHistory: boolean): History {
  const merged = addReadings(history, fetched);
  return isFullHistory ? { ...merged, count: merged.readings.length } : merged;
}

/** True if the history holds as many readings as exist, up to `capacity`. */
export function isComplete({ readings, count }: History): boolean {
  return readings.length >= count;
}

/** Marks a history as incomplete. How many readings exist isn't known until the whole of it is fetched. */
export function withUnknownRest(history: History): History {
  return { ...history, count: Math.max(history.count, history.readings.length + 1) };
}

/**
 * Returns the reading that describes the air now and the one before it, that one first. They are the newest, or those
 * stored last if the newest is from the future.
 *
 * @param now the server's clock in milliseconds
 */
export function latestReadings({ readings, lastStored }: History, now: number): readonly Reading[] {
  const newest = readings.at(-1);
  return newest && isAhead(newest, now) ? lastStored : readings.slice(-2);
}

function lastTwoById(readings: readonly Reading[]): Reading[] {
  const byId = new Map(readings.map((reading) => [reading.id, reading]));
  return [...byId.values()].sort((a, b) => a.id - b.id).slice(-2);
}
