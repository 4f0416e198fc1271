import { createClient } from '@supabase/supabase-js';
import type { ReadingInput } from '../../readings/reading';
import { boundedFetch } from './bounded-fetch.server';

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
}

/** The result of every query; none rejects. `status` is 0 if no response came. */
export interface PostgrestResult {
  data: unknown;
  error: { message?: string; code?: string; details?: string } | null;
  status: number;
  count: number | null;
}

const COLUMNS = 'id,co2,voc,created_at';

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

  function select({ orderBy, ascending, after }: RowSelection, cursor?: Cursor, count?: 'estimated') {
    let query = client.from('data').select(COLUMNS, { count });
    if (after !== undefined) query = query.gt('id', after);
    const beyond = ascending ? 'gt' : 'lt';
    if (cursor && orderBy === 'id') query = query.filter('id', beyond, cursor.id);
    if (cursor && orderBy === 'time') {
      const { created_at, id } = cursor;
      query = query.or(
        `created_at.${beyond}.${created_at},and(created_at.eq.${created_at},id.${beyond}.${id})`,
      );
      // Redundant, but lets Postgres start at the cursor in the index instead of at the end.
      query = query.filter('created_at', ascending ? 'gte' : 'lte', created_at);
    }
    if (orderBy === 'time') query = query.order('created_at', { ascending });
    return query.order('id', { ascending });
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

    /** Counts all rows, as `count` of the result. Scans the whole table. */
    count: async (signal: AbortSignal): Promise<PostgrestResult> =>
      await client.from('data').select('id', { count: 'exact' }).limit(1).retry(false).abortSignal(signal),

    insert: async ({ co2, voc }: ReadingInput, signal: AbortSignal): Promise<PostgrestResult> =>
      await client.from('data').insert({ co2, voc }).select(COLUMNS).retry(false).abortSignal(signal),
  };
}

class NoWebSocket {
  constructor() {
    throw new Error('the server opens no channel');
  }
}
