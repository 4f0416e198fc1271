import { type Deletion, type DeletionStore, MAX_DELETIONS } from '../deletion-store';
import { readableUtc } from './reading-row';
import { isMissingFunction, queryError, secretKeyError } from './supabase-errors.server';
import type { PostgrestResult, Project, supabaseQueries } from './supabase-queries.server';

/** Readings that one request changes. Inserts wait for it. */
const STEP_READINGS = 1000;

/** The answer of the function `restore_readings`. */
type RestoredStep =
  | { outcome: 'restored'; sensor: string; restored: number; remaining: number | null }
  | { outcome: 'unknown' | 'expired' };

/**
 * Keeps deleted readings in a Supabase project, by functions that need the secret key. While the project lacks their migration,
 * nothing is deleted.
 *
 * @param mayDelete true with the secret key
 */
export function supabaseDeletions(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  mayDelete: boolean,
): DeletionStore {
  const ask = (name: string, parameters: object): Promise<PostgrestResult> =>
    queries.call(name, parameters, queries.newDeadline());

  async function call<T>(name: string, parameters: object): Promise<T> {
    if (!mayDelete) throw secretKeyError("Deleting a Supabase project's readings");
    const result = await ask(name, parameters);
    if (result.error) throw queryError(result, project);
    return result.data as T;
  }

  /** Calls a function that only has something to do if readings were deleted. Returns null if there can be none. */
  async function callIfAny<T>(name: string, parameters: object): Promise<T | null> {
    if (!mayDelete) return null;
    const result = await ask(name, parameters);
    if (isMissingFunction(result)) return null;
    if (result.error) throw queryError(result, project);
    return result.data as T;
  }

  return {
    async remove({ restore, sensor, from = null, to = null, id = null, until }) {
      const step = {
        ...{ of_deletion: restore, of_sensor: sensor, since: from, until: to, of_id: id, keep_until: until },
        at_most: STEP_READINGS,
      };
      for (let deleted = 0; ; ) {
        const count = await call<number | null>('delete_readings', step);
        if (count === null) return null;
        deleted += count;
        if (count < STEP_READINGS) return deleted;
      }
    },
    async restore(id) {
      for (let restored = 0; ; ) {
        const step = { of_deletion: id, at_most: STEP_READINGS };
        const answer = await call<RestoredStep>('restore_readings', step);
        if (answer.outcome !== 'restored') return answer;
        restored += answer.restored;
        const { sensor, remaining } = answer;
        if (remaining !== null) return { outcome: 'restored', sensor, restored, conflicts: remaining };
      }
    },
    async list(sensor) {
      const asked = { of_sensor: sensor, at_most: MAX_DELETIONS };
      const found = (await callIfAny<Deletion[]>('list_deletions', asked)) ?? [];
      return found.map(({ from, to, until, ...deletion }) => ({
        ...deletion,
        from: readableUtc(from),
        to: readableUtc(to),
        until: readableUtc(until),
      }));
    },
    async giveUp() {
      const step = { at_most: STEP_READINGS };
      while ((await callIfAny<number>('give_up_readings', step)) === STEP_READINGS);
    },
  };
}
