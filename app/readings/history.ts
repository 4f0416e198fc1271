import { isAhead } from './freshness';
import { HISTORY_LIMIT } from './range';
import { compareReadings, type Reading } from './reading';

/** Readings that a history starts from. */
export interface KnownReadings {
  /** The newest readings, oldest first; fewer than `count` if the rest is fetched later. */
  readings: Reading[];
  /** How many stored readings there are to show. */
  count: number;
  /** The highest stored id; null if the store couldn't be read. */
  newestId: number | null;
  /** The two readings with the highest ids, if `readings` may lack them. */
  lastStored?: Reading[];
}

/** The newest readings of the store, as far as they are known. */
export interface History {
  /** Oldest first, unique by id, at most `capacity`. */
  readings: readonly Reading[];
  /** The two readings with the highest ids, in that order. They may be missing from `readings`. */
  lastStored: readonly Reading[];
  /** How many readings exist, up to `capacity`. More than `readings` holds until the rest is fetched. */
  count: number;
  capacity: number;
  /** The highest id seen; null until the store has been read. */
  newestId: number | null;
}

/** Starts a history. `capacity` bounds it, so that a page left open doesn't grow. */
export function startHistory(initial: KnownReadings, capacity: number = HISTORY_LIMIT): History {
  const { readings, count, newestId, lastStored = [] } = initial;
  return {
    readings: readings.slice(-capacity),
    lastStored: lastTwoById([...readings, ...lastStored]),
    count: Math.min(count, capacity),
    capacity,
    newestId,
  };
}

/**
 * Adds readings, each in its place in time. Ignores those it already has and drops the oldest above `capacity`.
 *
 * @returns the same object if nothing is new
 */
export function addReadings(history: History, added: readonly Reading[]): History {
  const ids = new Set(history.readings.map(({ id }) => id));
  const unseen = added.filter(({ id }) => !ids.has(id) && ids.add(id));
  if (unseen.length === 0) return history;
  const known = history.newestId ?? 0;
  const inserted = unseen.filter(({ id }) => id > known).length;
  const readings = [...history.readings, ...unseen].sort(compareReadings).slice(-history.capacity);
  return {
    ...history,
    readings,
    lastStored: lastTwoById([...history.lastStored, ...unseen]),
    count: Math.min(history.capacity, Math.max(history.count + inserted, readings.length)),
    newestId: unseen.reduce((newest, { id }) => Math.max(newest, id), known),
  };
}

/**
 * Adds readings fetched from the store, if any.
 *
 * @param isFullHistory true if these are all that the store holds, up to `capacity`; corrects `count`
 */
export function catchUp(history: History, fetched: readonly Reading[], isFullHistory: boolean): History {
  const merged = addReadings(history, fetched);
  const count = isFullHistory ? merged.readings.length : merged.count;
  return { ...merged, newestId: merged.newestId ?? 0, count };
}

/** True if the history holds all that the store does, up to `capacity`. */
export function isComplete(history: History): boolean {
  return history.newestId !== null && history.readings.length >= history.count;
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
