import { airAfter } from '../readings/air/follow-air';
import type { InitialAir, KnownAir } from '../readings/air/level-since';
import { compareTimes, type Reading } from '../readings/reading';
import type { AlertStore } from '../store/alert-store';
import { StoreUnavailableError } from '../store/reading-store';
import { airRules } from './air-rules.server';

/**
 * Returns what is known of a sensor's air, for the first render of a page: from the newest readings, and from the last
 * transition before them if there is one. Null for air that has been good all the time.
 *
 * @param readings the newest ones, oldest first
 * @param store where the transitions are; null if there are none
 */
export async function initialAir(
  { sensor, readings }: { sensor: string; readings: readonly Reading[] },
  store: Pick<AlertStore, 'transitionsSince'> | null,
): Promise<InitialAir | null> {
  const rules = airRules();
  const shown = airAfter(null, readings, rules);
  if (!shown || isGood(shown)) return null;
  const before = store && (await lastTransition(store, sensor, readings));
  const known = before ? airAfter(before, readings, rules) : shown;
  return known && { sensor, known };
}

const isGood = ({ air: { level, pending } }: KnownAir) =>
  level === 'good' && pending.every((start) => start === null);

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
  if (!last || last.to === 'silent') return last ? { air: last.air, knownFrom: null } : null;
  const newest = new Date(Date.parse(first.created_at) - 1).toISOString();
  return { air: { ...last.air, newest, pending: [null, null] }, knownFrom: first.created_at };
}
