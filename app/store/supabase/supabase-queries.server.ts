import { createClient } from '@supabase/supabase-js';
import type { ReadingInput } from '../../readings/reading';

/** Where a row stands in the order of time and of id. */
export interface Key {
  created_at: string;
  id: string;
}

export interface Order {
  by: 'time' | 'id';
  ascending: boolean;
  /** Only rows with a higher id. */
  after?: number;
}

/** What every query resolves with; none rejects. `status` is 0 where no answer came. */
export interface PostgrestResult {
  data: unknown;
  error: { message?: string; code?: string; details?: string } | null;
  status: number;
  count: number | null;
}

const COLUMNS = 'id,co2,voc,created_at';

/**
 * The requests of the hosted store. None is repeated by itself: by default postgrest-js tries for 7 s.
 */
export function supabaseQueries(url: string, key: string) {
  const client = createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // Without a WebSocket class createClient() throws on Node 20. The server never opens a channel.
    realtime: { transport: NoWebSocket as never },
  });

  function select({ by, ascending, after }: Order, last?: Key) {
    let query = client.from('data').select(COLUMNS);
    if (after !== undefined) query = query.gt('id', after);
    const beyond = ascending ? 'gt' : 'lt';
    if (last && by === 'id') query = query.filter('id', beyond, last.id);
    if (last && by === 'time') {
      const { created_at, id } = last;
      query = query.or(
        `created_at.${beyond}.${created_at},and(created_at.eq.${created_at},id.${beyond}.${id})`,
      );
      // Says nothing new, but lets Postgres start at the place in the index instead of at its end.
      query = query.filter('created_at', ascending ? 'gte' : 'lte', created_at);
    }
    if (by === 'time') query = query.order('created_at', { ascending });
    return query.order('id', { ascending });
  }

  // A query is sent when it is awaited, so an async function can't hand one on.
  return {
    /** The first `limit` rows that follow `last`. */
    page: async (
      order: Order,
      last: Key | undefined,
      limit: number,
      signal: AbortSignal,
    ): Promise<PostgrestResult> => await select(order, last).limit(limit).retry(false).abortSignal(signal),

    /** The row with so many before it in the order; none where there are no more. */
    at: async (order: Order, offset: number, signal: AbortSignal): Promise<PostgrestResult> =>
      await select(order).range(offset, offset).retry(false).abortSignal(signal),

    /** How many rows there are, as `count`: passes all of them. */
    count: async (signal: AbortSignal): Promise<PostgrestResult> =>
      await client.from('data').select('id', { count: 'exact' }).limit(1).retry(false).abortSignal(signal),

    insert: async ({ co2, voc }: ReadingInput, signal: AbortSignal): Promise<PostgrestResult> =>
      await client.from('data').insert({ co2, voc }).select(COLUMNS).retry(false).abortSignal(signal),
  };
}

class NoWebSocket {
  constructor() {
    throw new Error('the server listens to no channel');
  }
}
