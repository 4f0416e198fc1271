import { HISTORY_LIMIT } from './range';
import { compareReadings, type Reading } from './reading';

/** Readings that a page is rendered with. */
export interface KnownReadings {
  /** The newest readings, oldest first; fewer than `count` if the page fetches the rest later. */
  readings: Reading[];
  /** How many stored readings the page may show. */
  count: number;
  /** The highest stored id, from which the page catches up; null if the store couldn't be read. */
  newestId: number | null;
}

/** The readings a page knows, and whether the first live insert has arrived. */
export interface History {
  /** Oldest first, unique by id, at most `capacity`. */
  readings: readonly Reading[];
  /** How many readings exist, up to `capacity`: more than `readings` holds until the rest is fetched. */
  count: number;
  capacity: number;
  /** The highest id seen; null where nothing is known of the store yet. */
  newestId: number | null;
  /** Set while subscribing, cleared by the first insert (specification, section 4). */
  loading: boolean;
}

/** A page's history before anything arrives. `capacity` bounds it, so that a page left open does not grow. */
export function startHistory(initial: KnownReadings, capacity: number = HISTORY_LIMIT): History {
  const { readings, count, newestId } = initial;
  return {
    readings: readings.slice(-capacity),
    count: Math.min(count, capacity),
    capacity,
    newestId,
    loading: true,
  };
}

/** A live insert: takes its place in time, once, and ends the loading. */
export function insertReading(history: History, reading: Reading): History {
  return { ...merge(history, [reading]), loading: false };
}

/**
 * Readings fetched to catch up. Any that is newer than what was known was inserted after the page was
 * made, so it counts as an insert that arrived.
 *
 * @param everything whether these are all that the store holds, up to `capacity`
 */
export function catchUp(history: History, readings: readonly Reading[], everything: boolean): History {
  const known = history.newestId;
  const merged = merge(history, readings);
  return {
    ...merged,
    newestId: merged.newestId ?? 0,
    count: everything ? merged.readings.length : merged.count,
    loading: history.loading && !(known !== null && readings.some(({ id }) => id > known)),
  };
}

/** The newest reading, once the first insert has arrived. */
export function currentOf(history: History): Reading | null {
  return history.loading ? null : (history.readings.at(-1) ?? null);
}

/** The reading before the current one. */
export function previousOf(history: History): Reading | null {
  return history.loading ? null : (history.readings.at(-2) ?? null);
}

/** Whether the page holds all that the store does, up to `capacity`. */
export function isComplete(history: History): boolean {
  return history.newestId !== null && history.readings.length >= history.count;
}

function merge(history: History, arrived: readonly Reading[]): History {
  const ids = new Set(history.readings.map(({ id }) => id));
  const unseen = arrived.filter(({ id }) => !ids.has(id) && ids.add(id));
  if (unseen.length === 0) return history;
  const known = history.newestId ?? 0;
  const inserted = unseen.filter(({ id }) => id > known).length;
  const readings = [...history.readings, ...unseen].sort(compareReadings).slice(-history.capacity);
  return {
    ...history,
    readings,
    count: Math.min(history.capacity, Math.max(history.count + inserted, readings.length)),
    newestId: unseen.reduce((newest, { id }) => Math.max(newest, id), known),
  };
}
