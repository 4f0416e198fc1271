import { at } from '../../readings/at';
import { CLOCK_TOLERANCE_MS } from '../../readings/now/stale';
import type { ReadingInput } from '../../readings/reading';
import {
  type InsertResult,
  ReadingRejectedError,
  type ReadingStore,
  StoreUnavailableError,
} from '../reading-store';
import { readableUtc, readingOf } from './reading-row';
import { insertError, rejection } from './supabase-errors.server';
import type { Project, supabaseQueries } from './supabase-queries.server';

type Results = (InsertResult | ReadingRejectedError)[];

/** Returns the store's inserts. `timeoutMs` limits each insert, including its wait for other batches. */
export function supabaseInserts(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  timeoutMs: number,
): Pick<ReadingStore, 'insert' | 'insertAll' | 'clockLeadMs'> {
  let lastBatch: Promise<unknown> = Promise.resolve();
  let leadMs = 0;

  /**
   * Measures how far the database's clock is ahead, using a reading that the database timed after `sentAt`. Warns if the
   * difference is large.
   */
  function noteClock(readings: readonly ReadingInput[], results: Results, sentAt: number): void {
    const answeredAt = Date.now();
    const index = readings.findIndex(({ created_at }) => created_at === undefined);
    const result = results[index];
    if (!result || result instanceof ReadingRejectedError) return;
    const time = Date.parse(result.reading.created_at);
    const wasLarge = Math.abs(leadMs) > CLOCK_TOLERANCE_MS;
    leadMs = time > answeredAt ? time - answeredAt : Math.min(0, time - sentAt);
    if (wasLarge || Math.abs(leadMs) <= CLOCK_TOLERANCE_MS) return;
    const direction = leadMs > 0 ? 'ahead of' : 'behind';
    console.warn(
      `[airboard] the database's clock is ${Math.round(Math.abs(leadMs) / 1000)} s ${direction} this server's. Ages of ` +
        "readings are corrected by that. Set this server's clock (NTP).",
    );
  }

  async function insertRows(
    readings: readonly ReadingInput[],
    deadline = queries.newDeadline(),
  ): Promise<Results> {
    const sentAt = Date.now();
    const result = await queries.insert(readings.map(withExactTime), deadline);
    const results = result.error ? null : insertResults(result.data, readings.length, project);
    if (results) {
      noteClock(readings, results, sentAt);
      return results;
    }
    const error = insertError(result, project, readings);
    if (error instanceof ReadingRejectedError) return readings.map(() => error);
    throw error;
  }

  /**
   * Inserts one batch at a time. Postgres assigns the ids of a batch before it is committed, and pages look back for
   * missing ids only as far as one batch reaches.
   */
  function insertAll(readings: readonly ReadingInput[]): Promise<Results> {
    // The time limit includes the wait for other batches, so that the client gets its response in time.
    const deadline = queries.newDeadline();
    const begun = performance.now();
    const results = lastBatch.then(() => {
      if (performance.now() - begun > timeoutMs / 2) {
        throw new StoreUnavailableError(
          'Supabase is too slow for the batches that are under way. The readings were not stored.',
        );
      }
      return insertRows(readings, deadline);
    });
    lastBatch = results.catch(() => {});
    return results;
  }

  return {
    clockLeadMs: () => leadMs,
    insertAll,
    async insert(reading) {
      const result = at(await insertRows([reading]), 0);
      if (result instanceof ReadingRejectedError) throw result;
      return result;
    },
  };
}

/** Truncates the time to microseconds, because Postgres would round it. */
function withExactTime(reading: ReadingInput): ReadingInput {
  const { created_at } = reading;
  return created_at === undefined ? reading : { ...reading, created_at: readableUtc(created_at) };
}

const OUTCOMES = ['stored', 'duplicate', 'conflict'] as const;

/**
 * Converts the result of `insert_readings` for `count` readings.
 *
 * @returns null if it isn't such a result
 */
function insertResults(data: unknown, count: number, project: Project): Results | null {
  if (!Array.isArray(data) || data.length !== count) return null;
  const results = data.flatMap((item) => resultOf(item, project) ?? []);
  return results.length === count ? results : null;
}

function resultOf(item: unknown, project: Project): InsertResult | ReadingRejectedError | null {
  const { outcome, reason, reading: row } = (item ?? {}) as Record<string, unknown>;
  if (outcome === 'rejected') return rejection(String(reason), project);
  const reading = readingOf(row);
  const known = OUTCOMES.find((one) => one === outcome);
  return reading && known ? { outcome: known, reading } : null;
}
