import type { SupabaseSettings } from '../../config/supabase-settings.server';
import { HISTORY_LIMIT } from '../../readings/chart/range';
import { MAX_SENSORS, newestFirst } from '../../readings/known-sensors';
import { MAIN_METRICS, METRICS } from '../../readings/metric';
import { compareReadings, type Reading, type SensorSummary, sensorOf } from '../../readings/reading';
import { memoryRoomStore } from '../memory-room-store';
import type { ReadingQuery, ReadingStore } from '../reading-store';
import { exactUtc, readingOf } from './reading-row';
import { supabaseAlerts } from './supabase-alerts.server';
import { supabaseDeletions } from './supabase-deletions.server';
import { queryError } from './supabase-errors.server';
import { supabaseHistory } from './supabase-history.server';
import { supabaseInserts } from './supabase-inserts.server';
import { supabaseNotes } from './supabase-notes.server';
import {
  type Cursor,
  type PostgrestResult,
  type Project,
  type RowSelection,
  supabaseQueries,
} from './supabase-queries.server';
import { supabaseRaw } from './supabase-raw.server';
import { supabaseRoom } from './supabase-room.server';
import { supabaseSensorSettings } from './supabase-sensor-settings.server';

/** Leaves time to answer a client within 5 s. */
const TIMEOUT_MS = 3500;
/** The most rows in one response of a hosted project. A project may allow fewer, and truncates silently. */
const PAGE_ROWS = 1000;
/** The number of pages that are requested in parallel: enough for 24HR. */
const PAGES_AT_ONCE = 6;

/**
 * Opens the table `data` of a Supabase project over HTTP. Opening sends no request: if the project can't be reached,
 * each call fails, and the server still serves its pages.
 *
 * @param timeoutMs limits each call, even one with several requests. Only a long history gets this time for each round of
 *   requests, and `read` for each page.
 */
export function openSupabaseStore(
  { url, publicKey, serverKey }: SupabaseSettings,
  timeoutMs: number = TIMEOUT_MS,
): ReadingStore {
  const project: Project = { url, key: serverKey };
  const queries = supabaseQueries(project, timeoutMs);
  const { newDeadline } = queries;
  const isSecret = serverKey !== publicKey;
  const inserts = supabaseInserts(queries, project, timeoutMs);
  const { rawFrom, removeRaw, forget } = supabaseRaw(queries, project, isSecret);
  const settings = supabaseSensorSettings(queries, project, isSecret);

  /** Yields pages of raw rows after the cursor. Each page has its own signal as a time limit. */
  async function* pages(
    selection: RowSelection,
    cursor: Cursor | undefined,
    signal: () => AbortSignal,
  ): AsyncGenerator<unknown[]> {
    let position = cursor;
    for (;;) {
      const rows = rowsOf(await queries.page(selection, { cursor: position, limit: PAGE_ROWS }, signal()));
      // A short page may be due to a lower row limit of the project, so only an empty page is the end.
      if (rows.length === 0) return;
      yield rows;
      position = cursorOf(rows.at(-1));
    }
  }

  function rowsOf(result: PostgrestResult): unknown[] {
    if (result.error || !Array.isArray(result.data)) throw queryError(result, project);
    return result.data;
  }

  /**
   * Returns the last `limit` readings of the selection, last first. Requests the first page, then the rest in parallel,
   * in pages as long as the first response.
   */
  async function lastReadings(limit: number, query: ReadingQuery): Promise<Reading[]> {
    const selection = selectionOf(query, false);
    const { signal } = query;
    const first = await queries.firstPage(selection, Math.min(PAGE_ROWS, limit), newDeadline(signal));
    signal?.throwIfAborted();
    const rows = rowsOf(first);
    const size = rows.length;
    if (size === 0 || size === first.count) return toReadings(rows);
    // Rows that are inserted meanwhile come before the cursor, so they don't shift any offset.
    const cursor = cursorOf(rows.at(-1));
    for (let isEnd = false; rows.length < limit && !isEnd; ) {
      const begin = rows.length - size;
      const offsets = Array.from({ length: PAGES_AT_ONCE }, (_, page) => begin + page * size);
      const batch = offsets
        .map((offset) => ({ cursor, offset, limit: Math.min(size, limit - size - offset) }))
        .filter((page) => page.limit > 0);
      const deadline = newDeadline(signal);
      const results = await Promise.all(batch.map((page) => queries.page(selection, page, deadline)));
      signal?.throwIfAborted();
      const found = results.map(rowsOf);
      rows.push(...found.flat());
      isEnd = found.some((page, i) => page.length < Number(batch[i]?.limit));
    }
    return toReadings(rows);
  }

  const newest = async (limit: number, query: ReadingQuery = {}) =>
    (await lastReadings(limit, query)).sort(compareReadings);

  /** Returns the cursor before the last `limit` rows; undefined to read from the beginning. */
  async function startCursor(
    query: ReadingQuery,
    limit: number | undefined,
    signal: AbortSignal,
  ): Promise<Cursor | undefined> {
    if (limit === undefined) return undefined;
    const rows = rowsOf(await queries.rowAt(selectionOf(query, false), limit, signal));
    return rows.length > 0 ? cursorOf(rows[0]) : undefined;
  }

  /** Yields pages of `limit` sensors after `name`, in the database's order of names. */
  async function* sensorPages(
    limit: number,
    name: string | undefined,
    signal: () => AbortSignal,
  ): AsyncGenerator<SensorSummary[]> {
    for (let [last, rest] = [name, limit]; rest > 0; ) {
      const most = Math.min(PAGE_ROWS, rest);
      const result = await queries.sensors(last, most, signal());
      const page = rowsOf(result);
      if (page.length === 0) return;
      yield toSummaries(page);
      last = (page.at(-1) as { sensor: string }).sensor;
      rest -= page.length;
      if (page.length < most && page.length === result.count) return;
    }
  }

  async function sensors(limit = Number.POSITIVE_INFINITY, after?: string): Promise<SensorSummary[]> {
    const deadline = newDeadline();
    const found: SensorSummary[] = [];
    for await (const page of sensorPages(limit, after, () => deadline)) found.push(...page);
    return found;
  }

  async function names(): Promise<string[]> {
    const found: string[] = [];
    for await (const page of sensorPages(Number.POSITIVE_INFINITY, undefined, newDeadline)) {
      for (const { name } of page) found.push(name);
    }
    return found;
  }

  async function lastHeard(shown?: string): Promise<SensorSummary[]> {
    const deadline = newDeadline();
    const newest = toSummaries(rowsOf(await queries.newestSensors(MAX_SENSORS, deadline)));
    if (shown === undefined || newest.length < MAX_SENSORS || newest.some(({ name }) => name === shown)) {
      return newest;
    }
    const own = toSummaries(rowsOf(await queries.sensorNamed(shown, deadline)));
    return newestFirst([...newest, ...own], shown);
  }

  return {
    kind: 'supabase',
    blocksOnInsert: false,
    description: `table data of the Supabase project at ${url}`,
    newest,
    ...inserts,
    ...supabaseHistory(queries, project),
    rawFrom,
    removeRaw,
    async *read(query: ReadingQuery) {
      const { limit } = query;
      if (limit !== undefined && limit <= HISTORY_LIMIT) {
        yield (await lastReadings(limit, query)).reverse();
        return;
      }
      // Finding the start and the first page share one deadline.
      let deadline: AbortSignal | null = newDeadline(query.signal);
      const cursor = await startCursor(query, limit, deadline);
      const signal = () => deadline ?? newDeadline(query.signal);
      for await (const page of pages(selectionOf(query, true), cursor, signal)) {
        deadline = null;
        yield toReadings(page);
      }
    },
    async measured(sensor) {
      const deadline = newDeadline();
      const found = await Promise.all(
        METRICS.filter((metric) => !MAIN_METRICS.includes(metric)).map(async ({ field }) => {
          const { data, error } = await queries.slotOf(field, sensor, deadline);
          // A project with older migrations has no such table. After any other error, the metric may have values.
          if (error) return error.code === 'PGRST205' || error.code === '42P01' ? [] : [field];
          return Array.isArray(data) && data.length > 0 ? [field] : [];
        }),
      );
      return found.flat();
    },
    async count(upTo, sensor) {
      const deadline = newDeadline();
      // Asking for the row at `upTo` scans that many index entries; an exact count scans the whole table.
      const selection = selectionOf({ sensor }, false);
      if (rowsOf(await queries.rowAt(selection, upTo - 1, deadline)).length > 0) return upTo;
      const result = await queries.count(sensor, deadline);
      rowsOf(result);
      return Math.min(result.count ?? (await newest(upTo, { sensor })).length, upTo);
    },
    // Notes of sensors without readings aren't counted, because their names would take a query for each page of notes.
    names,
    sensors,
    lastHeard,
    version: null,
    // Only the secret key may call the functions for notifications.
    alerts: isSecret ? supabaseAlerts(queries, project) : null,
    room: isSecret ? supabaseRoom(queries, project) : memoryRoomStore(),
    notes: supabaseNotes(queries, project, isSecret),
    settings: { ...settings, change: (change) => settings.change(change).finally(forget) },
    deletions: supabaseDeletions(queries, project, isSecret),
    // Pages get inserts from Supabase Realtime.
    inserts: null,
    // A test row would be sent to every page.
    checkHealth: async () => {},
    close: async () => {},
  };
}

/** With `after`, rows are ordered by id: in the order of time, the scan could pass every row. */
function selectionOf({ after, sensor, from, to }: ReadingQuery, ascending: boolean): RowSelection {
  return { orderBy: after === undefined ? 'time' : 'id', ascending, after, sensor, from, to };
}

/** Returns the readings of the rows. Leaves out invalid rows, such as NaN in a table without airboard's constraints. */
function toReadings(rows: readonly unknown[]): Reading[] {
  return rows.flatMap((row) => readingOf(row) ?? []);
}

const toSummaries = (rows: readonly unknown[]): SensorSummary[] =>
  rows.flatMap((row) => sensorSummaryOf(row) ?? []);

function cursorOf(row: unknown): Cursor {
  const { id, created_at } = row as { id: unknown; created_at: unknown };
  return { id: String(id), created_at: exactUtc(created_at) ?? String(created_at) };
}

/**
 * Converts a row of the function `sensors`: a sensor's newest reading, with its other metrics in `metrics`, and the
 * time of its first reading in `first_heard`.
 *
 * @returns null if it isn't such a row
 */
function sensorSummaryOf(row: unknown): SensorSummary | null {
  const { first_heard: first, metrics, ...columns } = (row ?? {}) as Record<string, unknown>;
  const newest = readingOf({ ...columns, ...(metrics as object | undefined) });
  const first_heard = exactUtc(first);
  if (!newest || first_heard === null) return null;
  return { name: sensorOf(newest), newest, first_heard, last_heard: newest.created_at };
}
