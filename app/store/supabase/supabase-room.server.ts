import type { RoomDay, RoomStore } from '../room-store';
import { isMissingFunction, noteAnswer, type Project, queryError } from './supabase-errors.server';
import { anySignal, type supabaseQueries } from './supabase-queries.server';

/** Days of a request: each takes up to a few kB. */
const LOADED_DAYS = 1000;
const KEPT_DAYS = 200;

/**
 * Keeps findings about rooms in a Supabase project, by functions that need the secret key. A project without their
 * migration keeps none.
 */
export function supabaseRoom(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  timeoutMs: number,
): RoomStore {
  let isMissingKnown = false;

  /** Calls a function of the migration; returns undefined if the project doesn't have it, and says so once. */
  async function call(name: string, parameters: object, signal?: AbortSignal): Promise<unknown> {
    const deadline = anySignal(AbortSignal.timeout(timeoutMs), signal);
    const result = await queries.call(name, parameters, deadline);
    noteAnswer(result, project);
    if (!result.error) return result.data;
    const error = queryError(result, project);
    if (!isMissingFunction(result)) throw error;
    if (!isMissingKnown) {
      isMissingKnown = true;
      console.warn(`[airboard] findings about rooms are computed each time: ${error.message}`);
    }
  }

  return {
    async days({ sensor, from, to, signal }) {
      const days: RoomDay[] = [];
      for (;;) {
        const last = days.at(-1);
        const asked = {
          of_sensor: sensor,
          since: last ? last.day + 1 : from,
          until: to,
          at_most: LOADED_DAYS,
        };
        const page = (await call('room_load', asked, signal)) as RoomDay[] | undefined;
        if (!page) return [];
        days.push(...page);
        if (page.length < LOADED_DAYS) return days;
      }
    },
    async keep(days) {
      for (let start = 0; start < days.length; start += KEPT_DAYS)
        await call('room_keep', { days: days.slice(start, start + KEPT_DAYS) });
    },
  };
}
