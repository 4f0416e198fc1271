import type { SupabaseSettings } from '../../config/supabase-settings.server';
import { HISTORY_LIMIT } from '../../readings/range';
import { compareReadings, type Reading } from '../../readings/reading';
import type { ReadingQuery, ReadingStore } from '../reading-store';
import { exactUtc, readingOf } from './reading-row';
import { insertError, queryError } from './supabase-errors.server';
import {
  type Cursor,
  type PostgrestResult,
  type RowSelection,
  supabaseQueries,
} from './supabase-queries.server';

/** Leaves time to answer a client within 5 s. */
const TIMEOUT_MS = 3500;
/** The most rows in one response of a hosted project. It may be set to fewer, and truncates silently. */
const PAGE_ROWS = 1000;

/**
 * Opens the table `data` of a Supabase project over HTTP. Opening sends no request: if the project can't be
 * reached, each call fails, and the server still serves its pages.
 *
 * @param timeoutMs bounds each call, however many requests it makes; `read` gets as long for each page
 */
export function openSupabaseStore(
  { url, serverKey }: SupabaseSettings,
  timeoutMs: number = TIMEOUT_MS,
): ReadingStore {
  const queries = supabaseQueries(url, serverKey);
  const project = { host: new URL(url).host, key: serverKey };
  /** The most rows that came in one response so far. */
  let largestPage = 0;
  const newDeadline = () => AbortSignal.timeout(timeoutMs);

  /** Yields pages of raw rows after the cursor, each within the time of its own signal. */
  async function* pages(
    selection: RowSelection,
    { limit = Number.POSITIVE_INFINITY, cursor, signal }: PageOptions,
  ): AsyncGenerator<unknown[]> {
    let remaining = limit;
    let position = cursor;
    while (remaining > 0) {
      const pageLimit = Math.min(PAGE_ROWS, remaining);
      const rows = rowsOf(await queries.page(selection, position, pageLimit, signal()));
      if (rows.length > 0) yield rows;
      // A short page is the last one, or the project's row limit is below `pageLimit`. It is the last one if a
      // larger page came before; otherwise only an empty page tells.
      if (rows.length === 0 || (rows.length < pageLimit && rows.length < largestPage)) return;
      largestPage = Math.max(largestPage, rows.length);
      remaining -= rows.length;
      position = cursorOf(rows.at(-1));
    }
  }

  function rowsOf(result: PostgrestResult): unknown[] {
    if (result.error || !Array.isArray(result.data)) throw queryError(result, project);
    return result.data;
  }

  async function newest(limit: number, after?: number): Promise<Reading[]> {
    const deadline = newDeadline();
    const rows: unknown[] = [];
    const selection: RowSelection = { orderBy: orderFor(after), ascending: false, after };
    for await (const page of pages(selection, { limit, signal: () => deadline })) rows.push(...page);
    return toReadings(rows);
  }

  /** Returns the cursor before the newest `limit` rows; undefined to read from the beginning. */
  async function startCursor(
    selection: RowSelection,
    limit: number | undefined,
    signal: AbortSignal,
  ): Promise<Cursor | undefined> {
    if (limit === undefined) return undefined;
    const rows = rowsOf(await queries.rowAt({ ...selection, ascending: false }, limit, signal));
    return rows.length > 0 ? cursorOf(rows[0]) : undefined;
  }

  return {
    kind: 'supabase',
    description: `table data of the Supabase project at ${url}`,
    newest,
    async insert(reading) {
      const result = await queries.insert(reading, newDeadline());
      const [row] = [result.data].flat();
      const stored = result.error ? null : readingOf(row);
      if (!stored) throw insertError(result, project);
      return stored;
    },
    async *read({ limit, after }: ReadingQuery) {
      if (limit !== undefined && limit <= HISTORY_LIMIT) {
        yield await newest(limit, after);
        return;
      }
      const selection: RowSelection = { orderBy: orderFor(after), ascending: true, after };
      // Finding the start and the first page share one deadline.
      let deadline: AbortSignal | null = newDeadline();
      const cursor = await startCursor(selection, limit, deadline);
      const signal = () => deadline ?? newDeadline();
      for await (const page of pages(selection, { cursor, signal })) {
        deadline = null;
        yield toReadings(page);
      }
    },
    async count(upTo) {
      const deadline = newDeadline();
      // Asking for the row at `upTo` scans that many index entries; an exact count scans the whole table.
      const selection: RowSelection = { orderBy: 'time', ascending: false };
      if (rowsOf(await queries.rowAt(selection, upTo - 1, deadline)).length > 0) return upTo;
      const result = await queries.count(deadline);
      rowsOf(result);
      return Math.min(result.count ?? (await newest(upTo)).length, upTo);
    },
    version: null,
    // Pages get inserts from the project's Realtime.
    inserts: null,
    // A row written to find out would reach every page.
    checkHealth: async () => {},
    close: async () => {},
  };
}

interface PageOptions {
  limit?: number;
  cursor?: Cursor;
  /** Returns the signal that bounds the next page. */
  signal: () => AbortSignal;
}

/** With `after` by id: in the order of time, the scan could pass every row. */
const orderFor = (after: number | undefined) => (after === undefined ? 'time' : 'id');

/** Returns the readings, oldest first. Leaves out invalid rows, such as NaN in a table without our constraints. */
function toReadings(rows: readonly unknown[]): Reading[] {
  return rows.flatMap((row) => readingOf(row) ?? []).sort(compareReadings);
}

function cursorOf(row: unknown): Cursor {
  const { id, created_at } = row as { id: unknown; created_at: unknown };
  return { id: String(id), created_at: exactUtc(String(created_at)) ?? String(created_at) };
}
