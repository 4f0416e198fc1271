import { airAfter } from '../readings/air/follow-air';
import { type KnownAir, type LevelSince, levelSince } from '../readings/air/level-since';
import { LEVELS } from '../readings/level/level';
import { compareTimes, type Reading } from '../readings/reading';
import type { AlertStore } from '../store/alert-store';
import { StoreUnavailableError } from '../store/reading-store';
import { airRules } from './air-rules.server';

/**
 * Returns since when a sensor's air has been moderate or poor, for the first render of a page: as its newest readings say,
 * and the last transition before them if there is one. Null for good air.
 *
 * @param readings the newest ones, oldest first
 * @param store where the transitions are; null if there are none
 */
export async function initialLevel(
  { sensor, readings }: { sensor: string; readings: readonly Reading[] },
  store: Pick<AlertStore, 'transitionsSince'> | null,
): Promise<(LevelSince & { sensor: string }) | null> {
  const rules = airRules();
  const shown = airAfter(null, readings, rules);
  if (!shown || !worstOf(shown)) return null;
  const before = store && (await lastTransition(store, sensor, readings));
  const worst = worstOf(before ? (airAfter(before, readings, rules) as KnownAir) : shown);
  return worst && { ...worst, sensor };
}

/** Returns the worst level that the air has or is about to have; null if that is good. */
function worstOf(known: KnownAir): LevelSince | null {
  const bad = LEVELS.slice(1).map((level) => levelSince(known, level));
  return bad.findLast((level) => level !== null) ?? null;
}

/** Returns the air after the last transition before the readings, as if nothing had happened since; null without one. */
async function lastTransition(
  store: Pick<AlertStore, 'transitionsSince'>,
  sensor: string,
  [first]: readonly Reading[],
): Promise<KnownAir | null> {
  if (!first) return null;
  const transitions = await store.transitionsSince(sensor, first.created_at).catch((error) => {
    if (error instanceof StoreUnavailableError) return [];
    throw error;
  });
  const last = transitions.find(({ at }) => compareTimes(at, first.created_at) < 0);
  if (!last) return null;
  if (last.to === 'silent') return { air: last.air, knownFrom: null };
  const newest = new Date(Date.parse(first.created_at) - 1).toISOString();
  return { air: { ...last.air, newest, pending: [null, null] }, knownFrom: first.created_at };
}
