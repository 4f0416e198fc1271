import { memoryRoomStore } from '../memory-room-store';
import type { RoomDay, RoomStore } from '../room-store';
import { isMissingFunction, queryError } from './supabase-errors.server';
import type { Project, supabaseQueries } from './supabase-queries.server';

/** The most days per request. Each takes up to a few kB. */
const LOADED_DAYS = 1000;
const KEPT_DAYS = 200;

/**
 * Stores findings about rooms in a Supabase project, by functions that need the secret key. While the project lacks their
 * migration, keeps findings in memory.
 */
export function supabaseRoom(queries: ReturnType<typeof supabaseQueries>, project: Project): RoomStore {
  const memory = memoryRoomStore();
  let isMissingKnown = false;

  /** Calls a function of the migration. Returns null if the project doesn't have it, and logs that once. */
  async function call(
    name: string,
    parameters: object,
    signal?: AbortSignal,
  ): Promise<{ data: unknown } | null> {
    const result = await queries.call(name, parameters, queries.newDeadline(signal));
    if (!result.error) return { data: result.data };
    const error = queryError(result, project);
    if (!isMissingFunction(result)) throw error;
    if (!isMissingKnown) {
      isMissingKnown = true;
      console.warn(`[airboard] findings about rooms are kept in memory: ${error.message}`);
    }
    return null;
  }

  return {
    isLasting: true,
    async days(query) {
      const { sensor, from, to, signal } = query;
      const days: RoomDay[] = [];
      for (;;) {
        const last = days.at(-1);
        const asked = {
          of_sensor: sensor,
          since: last ? last.day + 1 : from,
          until: to,
          at_most: LOADED_DAYS,
        };
        const answer = await call('room_load', asked, signal);
        if (!answer) return memory.days(query);
        const page = answer.data as RoomDay[];
        days.push(...page);
        if (page.length < LOADED_DAYS) return days;
      }
    },
    async keep(days) {
      for (let start = 0; start < days.length; start += KEPT_DAYS) {
        const some = days.slice(start, start + KEPT_DAYS);
        if (!(await call('room_keep', { days: some }))) await memory.keep(some);
      }
    },
  };
}
