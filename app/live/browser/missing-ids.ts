import type { FetchedIds } from './follow-state';

/** How many missing ids are remembered, the highest ones: as many as a hosted feed's lookback. */
const MAX_MISSING = 800;

/** What is known of a feed's ids. */
interface KnownIds {
  /** See `LiveFeed`. */
  deliversEveryInsert: boolean;
  newestId: number;
  missing: readonly number[];
}

/** Returns the ids that an insert shows to be missing. A late one is looked for too: the ids may have begun again. */
export function skippedIds({ deliversEveryInsert, newestId, missing }: KnownIds, id?: number): number[] {
  if (id === undefined || deliversEveryInsert || id === newestId || missing.includes(id)) return [];
  return id < newestId ? [id] : idsBetween(newestId, id);
}

/** Returns what is missing after an insert. */
export function missingAfterInsert(missing: readonly number[], skipped: number[], id?: number): number[] {
  return [...missing.filter((other) => other !== id), ...skipped].slice(-MAX_MISSING);
}

/**
 * Returns what is missing after a fetch: also ids among the fetched ones, whose transactions may be open. Ids that no
 * fetch of this page would bring are given up.
 */
export function missingAfterFetch(
  { deliversEveryInsert, newestId, missing }: KnownIds,
  { ids, above }: FetchedIds,
): number[] {
  const fetched = new Set(ids);
  const skipped = deliversEveryInsert ? [] : idsBetween(newestId, Math.max(newestId, ...ids));
  return [...missing, ...skipped].filter((id) => id > above && !fetched.has(id)).slice(-MAX_MISSING);
}

/** Returns the ids above `known` and below `id`, but no more than are remembered. */
function idsBetween(known: number, id: number): number[] {
  const first = Math.max(known + 1, id - MAX_MISSING);
  return Array.from({ length: Math.max(0, id - first) }, (_, i) => first + i);
}
