import type { SupabaseSettings } from '../../config/supabase-settings.server';
import { HISTORY_LIMIT } from '../../readings/range';
import { compareReadings, type Reading } from '../../readings/reading';
import type { ReadingQuery, ReadingStore } from '../reading-store';
import { exactUtc, readingOf } from './reading-row';
import { failureOf, insertFailureOf } from './supabase-failure.server';
import { type Key, type Order, supabaseQueries } from './supabase-queries.server';

/** A call to the store takes no longer than this, however many requests it makes. */
const DEADLINE_MS = 3500;
/** The most rows a hosted project gives in one answer. It may be set to give fewer, and never says so. */
const PAGE = 1000;

/**
 * The table `data` of a Supabase project, over HTTP. Opening it asks nothing of the network: a project that
 * can't be reached is told call by call, and the server serves what it can.
 */
export function openSupabaseStore({ url, serverKey }: SupabaseSettings): ReadingStore {
  const queries = supabaseQueries(url, serverKey);
  const project = { host: new URL(url).host, key: serverKey };
  let widestAnswer = 0;

  /** Pages of raw rows in an order, from the row after `last` on, until there are no more. */
  async function* pages(
    order: Order,
    { limit = Number.POSITIVE_INFINITY, last, signal = deadline }: PageQuery,
  ): AsyncGenerator<unknown[]> {
    let wanted = limit;
    let from = last;
    while (wanted > 0) {
      const asked = Math.min(PAGE, wanted);
      const rows = rowsOf(await queries.page(order, from, asked, signal()));
      if (rows.length > 0) yield rows;
      // A page may be short because it is the last one, or because the server gives no more at once: it is
      // the last one where more has come at once before, or else where nothing follows.
      if (rows.length === 0 || (rows.length < asked && rows.length < widestAnswer)) return;
      widestAnswer = Math.max(widestAnswer, rows.length);
      wanted -= rows.length;
      from = keyOf(rows.at(-1));
    }
  }

  function rowsOf(answer: Awaited<ReturnType<typeof queries.page>>): unknown[] {
    if (answer.error || !Array.isArray(answer.data)) throw failureOf(answer, project);
    return answer.data;
  }

  async function newest(limit: number, after?: number): Promise<Reading[]> {
    const signal = deadline();
    const rows: unknown[] = [];
    const order: Order = { by: after === undefined ? 'time' : 'id', ascending: false, after };
    for await (const page of pages(order, { limit, signal: () => signal })) rows.push(...page);
    return readingsOf(rows);
  }

  /** The row before the first one to read: the one that so many newer rows follow. */
  async function start(
    order: Order,
    limit: number | undefined,
    signal: AbortSignal,
  ): Promise<Key | undefined> {
    if (limit === undefined) return undefined;
    const rows = rowsOf(await queries.at({ ...order, ascending: false }, limit, signal));
    return rows.length > 0 ? keyOf(rows[0]) : undefined;
  }

  return {
    kind: 'supabase',
    description: `table data of the Supabase project at ${url}`,
    newest,
    async insert(reading) {
      const answer = await queries.insert(reading, deadline());
      const [row] = [answer.data].flat();
      const stored = answer.error ? null : readingOf(row);
      if (!stored) throw insertFailureOf(answer, project);
      return stored;
    },
    async *read({ limit, after }: ReadingQuery) {
      if (limit !== undefined && limit <= HISTORY_LIMIT) {
        yield await newest(limit, after);
        return;
      }
      const order: Order = { by: after === undefined ? 'time' : 'id', ascending: true, after };
      // The first page has what is left of the time that finding its start has taken.
      const first = deadline();
      const last = await start(order, limit, first);
      let isFirst = true;
      const signal = () => (isFirst ? first : deadline());
      for await (const page of pages(order, { last, signal })) {
        isFirst = false;
        yield readingsOf(page);
      }
    },
    async count(upTo) {
      const signal = deadline();
      // Counting everything passes every row; whether there is one so far back passes only that many.
      const order: Order = { by: 'time', ascending: false };
      if (rowsOf(await queries.at(order, upTo - 1, signal)).length > 0) return upTo;
      const answer = await queries.count(signal);
      rowsOf(answer);
      return Math.min(answer.count ?? (await newest(upTo)).length, upTo);
    },
    version: null,
    // Pages get inserts from the project's Realtime.
    inserts: null,
    close: async () => {},
  };
}

interface PageQuery {
  limit?: number;
  last?: Key;
  /** Bounds each page, or all of them where it is always the same. */
  signal?: () => AbortSignal;
}

const deadline = () => AbortSignal.timeout(DEADLINE_MS);

/** Oldest first. What is no reading (NaN in a table without our constraints, say) is left out. */
function readingsOf(rows: readonly unknown[]): Reading[] {
  return rows.flatMap((row) => readingOf(row) ?? []).sort(compareReadings);
}

/** Where a row stands, to the microsecond: cut to milliseconds, the next page would skip its neighbours. */
function keyOf(row: unknown): Key {
  const { id, created_at } = row as { id: unknown; created_at: unknown };
  return { id: String(id), created_at: exactUtc(String(created_at)) ?? String(created_at) };
}
