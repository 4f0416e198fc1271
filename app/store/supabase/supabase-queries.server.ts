import { createClient } from '@supabase/supabase-js';
import type { ReadingInput } from '../../readings/reading';
import type { HistoryQuery, SummaryQuery } from '../reading-store';

/** The position of a row in the order of time and of id. */
export interface Cursor {
  /** With microseconds: cut to milliseconds, the next page would skip rows. */
  created_at: string;
  id: string;
}

/** Rows to select, and their order. */
export interface RowSelection {
  orderBy: 'time' | 'id';
  ascending: boolean;
  /** Selects rows with a higher id. */
  after?: number;
  /** Selects rows of one sensor. */
  sensor?: string;
  /** Selects rows measured from `from` on and before `to`. */
  from?: string;
  to?: string;
}

/** The result of every query; none rejects. `status` is 0 if no response came. */
export interface PostgrestResult {
  data: unknown;
  error: { message?: string; code?: string; details?: string } | null;
  status: number;
  count: number | null;
}

/** Returns a signal that is aborted with either one. */
export const anySignal = (deadline: AbortSignal, leaving?: AbortSignal): AbortSignal =>
  leaving ? AbortSignal.any([deadline, leaving]) : deadline;

const COLUMNS = 'id,co2,voc,created_at,sensor';

/**
 * The requests of the hosted store. `retry(false)`, because postgrest-js would retry a failed GET for 7 s.
 */
export function supabaseQueries(url: string, key: string) {
  const client = createClient(url, key, {
    global: { fetch: boundedFetch },
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // On Node 20 createClient() throws without a WebSocket class. The server never opens a channel.
    realtime: { transport: NoWebSocket as never },
  });

  function select(selection: RowSelection, cursor?: Cursor, count?: 'estimated') {
    const { orderBy, ascending, after, sensor, from, to } = selection;
    let query = client.from('data').select(COLUMNS, { count });
    if (sensor !== undefined) query = query.eq('sensor', sensor);
    if (after !== undefined) query = query.gt('id', after);
    if (from !== undefined) query = query.gte('created_at', from);
    if (to !== undefined) query = query.lt('created_at', to);
    const beyond = ascending ? 'gt' : 'lt';
    if (orderBy === 'id') {
      if (cursor) query = query.filter('id', beyond, cursor.id);
      return query.order('id', { ascending });
    }
    // A sensor has one reading at a time. Ordered by id too, its rows would have to be sorted.
    if (sensor !== undefined) {
      if (cursor) query = query.filter('created_at', beyond, cursor.created_at);
      return query.order('created_at', { ascending });
    }
    if (cursor) {
      const { created_at, id } = cursor;
      query = query.or(
        `created_at.${beyond}.${created_at},and(created_at.eq.${created_at},id.${beyond}.${id})`,
      );
      // Redundant, but lets Postgres start at the cursor in the index instead of at the end.
      query = query.filter('created_at', ascending ? 'gte' : 'lte', created_at);
    }
    return query.order('created_at', { ascending }).order('id', { ascending });
  }

  // A query builder is a thenable that sends its request when awaited, so these functions await it.
  return {
    /** Returns `limit` rows after the cursor, from an offset on. */
    page: async (
      selection: RowSelection,
      { cursor, offset = 0, limit }: { cursor?: Cursor; offset?: number; limit: number },
      signal: AbortSignal,
    ): Promise<PostgrestResult> =>
      await select(selection, cursor)
        .range(offset, offset + limit - 1)
        .retry(false)
        .abortSignal(signal),

    /** Returns the first `limit` rows, and as `count` how many there are: exact up to the project's row limit. */
    firstPage: async (
      selection: RowSelection,
      limit: number,
      signal: AbortSignal,
    ): Promise<PostgrestResult> =>
      await select(selection, undefined, 'estimated').limit(limit).retry(false).abortSignal(signal),

    /** Returns the row at an offset, or no row if there are fewer. */
    rowAt: async (selection: RowSelection, offset: number, signal: AbortSignal): Promise<PostgrestResult> =>
      await select(selection).range(offset, offset).retry(false).abortSignal(signal),

    /** Counts the rows of one sensor, or all, as `count` of the result. Scans them. */
    count: async (sensor: string | undefined, signal: AbortSignal): Promise<PostgrestResult> => {
      const query = client.from('data').select('id', { count: 'exact' });
      return await (sensor === undefined ? query : query.eq('sensor', sensor))
        .limit(1)
        .retry(false)
        .abortSignal(signal);
    },

    /** Returns `limit` sensors whose names follow `name`, and as `count` how many do. */
    sensors: async (
      name: string | undefined,
      limit: number,
      signal: AbortSignal,
    ): Promise<PostgrestResult> => {
      const query = client.rpc('sensors', {}, { get: true, count: 'exact' });
      return await (name === undefined ? query : query.gt('sensor', name))
        .order('sensor')
        .limit(limit)
        .retry(false)
        .abortSignal(signal);
    },

    /** Returns as `data` the steps of one sensor's history, as `history` returns them. */
    history: async (
      { sensor, from, to, step, phase = 0, thresholds }: HistoryQuery,
      signal: AbortSignal,
    ): Promise<PostgrestResult> => {
      const parameters = { of_sensor: sensor, since: from, until: to, step, phase, limits: thresholds };
      return await client.rpc('history', parameters).retry(false).abortSignal(signal);
    },

    /** Returns as `data` the numbers of a span, as `summary` returns them. */
    summary: async (
      { sensor, from, to, thresholds }: SummaryQuery,
      signal: AbortSignal,
    ): Promise<PostgrestResult> => {
      const parameters = { of_sensor: sensor, since: from, until: to, limits: thresholds };
      return await client.rpc('summary', parameters).retry(false).abortSignal(signal);
    },

    /** Calls a function of the migrations. */
    call: async (name: string, parameters: object, signal: AbortSignal): Promise<PostgrestResult> =>
      await client.rpc(name, parameters).retry(false).abortSignal(signal),

    /** Stores readings in one transaction. `data` has the outcome of each, as `insert_readings` returns it. */
    insert: async (readings: readonly ReadingInput[], signal: AbortSignal): Promise<PostgrestResult> =>
      await client.rpc('insert_readings', { readings }).retry(false).abortSignal(signal),
  };
}

/**
 * The most bytes of an answer. A page of 1,000 rows has 0.1 MB, and at most 1.7 MB with the longest numbers and names
 * that the migrations allow.
 */
const ANSWER_LIMIT = 4 * 1024 * 1024;

/** The name of the error for an answer over the limit. */
export const ANSWER_TOO_LARGE = 'AnswerTooLargeError';

/**
 * Calls `fetch`, but follows no redirect: that would send the key to the address it names, and repeat a POST as a GET.
 * Reading the body of an answer over 4 MiB fails with `AnswerTooLargeError`, and ends the connection.
 */
async function boundedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.byteLength;
      if (size <= ANSWER_LIMIT) return controller.enqueue(part);
      const error = new Error(`the answer is over ${ANSWER_LIMIT} bytes`);
      error.name = ANSWER_TOO_LARGE;
      throw error;
    },
  });
  return new Response(response.body?.pipeThrough(bound), response);
}

class NoWebSocket {
  constructor() {
    throw new Error('the server opens no channel');
  }
}
