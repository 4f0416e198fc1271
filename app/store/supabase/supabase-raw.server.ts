import type { ReadingStore } from '../reading-store';
import { isMissingFunction, queryError, secretKeyError } from './supabase-errors.server';
import type { Project, supabaseQueries } from './supabase-queries.server';

/** Readings that one request removes. Inserts wait for it. */
const STEP_READINGS = 1000;
/** Only servers with the secret key remove readings, of days that are long over, so other servers need not know at once. */
const KEPT_MS = 60_000;

/** The answer of the function `load_raw_starts`. */
interface RawStarts {
  starts: Record<string, number>;
  /** The newest id of a reading. */
  newest: number;
}

/**
 * Removes raw readings from a Supabase project. While the project lacks the functions, all readings are kept.
 *
 * @param mayChange true with the secret key
 */
export function supabaseRaw(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  mayChange: boolean,
) {
  let kept: { readAt: number; loaded: Promise<RawStarts> } | null = null;
  /** Readings that arrived after the last call stay, so that a device finishes its upload of old readings first. */
  let arrivedBefore: number | null = null;

  async function load(): Promise<RawStarts> {
    const result = await queries.call('load_raw_starts', {}, queries.newDeadline());
    if (isMissingFunction(result)) return { starts: {}, newest: 0 };
    if (result.error) throw queryError(result, project);
    return result.data as RawStarts;
  }

  function keptStarts(): Promise<RawStarts> {
    const now = performance.now();
    if (kept && now - kept.readAt < KEPT_MS) return kept.loaded;
    const loaded = load();
    kept = { readAt: now, loaded };
    loaded.catch(() => {
      kept = null;
    });
    return loaded;
  }

  const raw: Pick<ReadingStore, 'rawFrom' | 'removeRaw'> = {
    async rawFrom(sensor) {
      const { starts } = await keptStarts();
      return Object.hasOwn(starts, sensor) ? (starts[sensor] ?? null) : null;
    },
    async *removeRaw({ before }) {
      if (!mayChange) throw secretKeyError("Removing a Supabase project's readings (RAW_DAYS)");
      const { newest } = await load();
      const asked = {
        before: Object.fromEntries(before),
        up_to: arrivedBefore ?? newest,
        at_most: STEP_READINGS,
      };
      arrivedBefore = newest;
      for (let removed = STEP_READINGS; removed === STEP_READINGS; ) {
        const result = await queries.call('remove_raw', asked, queries.newDeadline());
        if (result.error) throw queryError(result, project);
        removed = Number(result.data);
        kept = null;
        if (removed > 0) yield removed;
      }
    },
  };
  return {
    ...raw,
    /** Forgets the times, which a new name changes. */
    forget(): void {
      kept = null;
    },
  };
}
