import { isAhead } from '../now/stale';
import { compareReadings, type Reading } from '../reading';
import { HISTORY_LIMIT } from './range';

/** The readings from which a history starts. */
export interface KnownReadings {
  /** The newest readings, oldest first; fewer than `count` if the rest is fetched later. */
  readings: Reading[];
  /** The number of stored readings to show. */
  count: number;
  /** The highest stored id of any sensor; null if the store couldn't be read. */
  newestId: number | null;
  /** The two readings with the highest ids, if `readings` may lack them. */
  lastStored?: Reading[];
}

/** The known newest readings of a sensor. */
export interface History {
  /** Oldest first, unique by id, at most `capacity`. */
  readings: readonly Reading[];
  /** The two readings with the highest ids, in that order. They may be missing from `readings`. */
  lastStored: readonly Reading[];
  /** The number of existing readings, up to `capacity`. `readings` holds fewer until the rest is fetched. */
  count: number;
  capacity: number;
  /** The highest stored id when `count` was read. Readings with higher ids increase `count` as they arrive. */
  countedTo: number;
}

/** Starts a history. `capacity` bounds it so that an open page doesn't use ever more memory. */
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
 * Adds readings in order of time. Ignores known ones, and drops the oldest above `capacity`. Adding many at once costs little
 * more than adding one.
 *
 * @returns the same object if no reading is new
 */
export function addReadings(history: History, added: readonly Reading[]): History {
  const unseen = new Map(added.map((reading) => [reading.id, reading]));
  for (const { id } of history.readings) unseen.delete(id);
  if (unseen.size === 0) return history;
  // Sorted first, so that the second sort only has to merge two sorted runs.
  const inserted = [...unseen.values()].sort(compareReadings);
  const readings = [...history.readings, ...inserted].sort(compareReadings).slice(-history.capacity);
  const uncounted = inserted.filter(({ id }) => id > history.countedTo).length;
  return {
    ...history,
    readings,
    lastStored: lastTwoById([...history.lastStored, ...inserted]),
    count: Math.min(history.capacity, Math.max(history.count + uncounted, readings.length)),
  };
}

/**
 * Adds readings fetched from the store, if any.
 *
 * @param isFullHistory true if `fetched` is the whole stored history, up to `capacity`; corrects `count`
 */
export function catchUp(history: History, fetched: readonly Reading[], isFullHistory: boolean): History {
  const merged = addReadings(history, fetched);
  return isFullHistory ? { ...merged, count: merged.readings.length } : merged;
}

/** Returns true if the history holds all existing readings, up to `capacity`. */
export function isComplete({ readings, count }: History): boolean {
  return readings.length >= count;
}

/** Marks a history as incomplete. The number of readings is unknown until the full history is fetched. */
export function withUnknownRest(history: History): History {
  return { ...history, count: Math.max(history.count, history.readings.length + 1) };
}

/**
 * Returns the two readings that describe the air now, oldest first: the newest two, or the two stored last if the newest is
 * from the future.
 *
 * @param now the server's clock in milliseconds
 */
export function latestReadings({ readings, lastStored }: History, now: number): readonly Reading[] {
  const newest = readings.at(-1);
  return newest && isAhead(newest, now) ? lastStored : readings.slice(-2);
}

function lastTwoById(readings: readonly Reading[]): Reading[] {
  const last = highestId(readings);
  const before = highestId(readings.filter(({ id }) => id !== last?.id));
  return [before, last].filter((reading) => reading !== undefined);
}

/** Returns the reading that was stored last. */
export function highestId(readings: readonly Reading[]): Reading | undefined {
  return readings.reduce<Reading | undefined>(
    (highest, reading) => (highest && highest.id >= reading.id ? highest : reading),
    undefined,
  );
}
