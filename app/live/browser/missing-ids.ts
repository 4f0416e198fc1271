import type { FetchedIds } from './follow-state';
import { HOSTED_LOOKBACK } from './live-feed';

/** A feed's ids, as far as they are known. */
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

/** Returns what is missing after an insert: the highest ids, as many as a fetch may bring. */
export function missingAfterInsert(missing: readonly number[], skipped: number[], id?: number): number[] {
  return [...missing.filter((other) => other !== id), ...skipped].slice(-HOSTED_LOOKBACK);
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
  return [...missing, ...skipped].filter((id) => id > above && !fetched.has(id)).slice(-HOSTED_LOOKBACK);
}

/** Returns the ids above `known` and below `id`, but no more than are remembered. */
function idsBetween(known: number, id: number): number[] {
  const first = Math.max(known + 1, id - HOSTED_LOOKBACK);
  return Array.from({ length: Math.max(0, id - first) }, (_, i) => first + i);
}
