import { createClient } from '@supabase/supabase-js';
import { timeLimit } from '../../config/time-limit.server.js';
import { METRICS, type MetricField, measuredMetrics } from '../../readings/metric';
import type { ReadingInput } from '../../readings/reading';

/** The position of a row in the order of time or id. */
export interface Cursor {
  /** With microseconds. After a time truncated to milliseconds, the next page would skip rows. */
  created_at: string;
  id: string;
}

/** The rows to select, and their order. */
export interface RowSelection {
  orderBy: 'time' | 'id';
  ascending: boolean;
  /** Selects rows with a higher id. */
  after?: number;
  /** Selects rows of one sensor. */
  sensor?: string;
  /** Selects rows measured at or after `from` and before `to`. */
  from?: string;
  to?: string;
}

/** The result of a query. Queries never reject. `status` is 0 if no response came. */
export interface PostgrestResult {
  data: unknown;
  error: { message?: string; code?: string; details?: string } | null;
  status: number;
  count: number | null;
}

export interface Project {
  url: string;
  /** The key that was used. Messages never contain it. */
  key: string;
  /** The time of the project's last response, with or without an error, by `performance.now()`. */
  answeredAt?: number;
}

const FIELDS: readonly string[] = METRICS.map(({ field }) => field);
/** The number of metrics that every project has: CO2 and VOC. */
const CORE_FIELDS = 2;

const NOTE_COLUMNS = 'id,sensor,begins_at,ends_at,text';

/** The requests of the hosted store. */
export function supabaseQueries(project: Project, timeoutMs: number) {
  const client = createClient(project.url, project.key, {
    global: { fetch: boundedFetch },
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // On Node 20 createClient() throws without a WebSocket class. The server never opens a channel.
    realtime: { transport: NoWebSocket as never },
  });

  /** False if the project has no function for a page of sensors, because its migrations are older. */
  let hasSensorPages = true;

  /** False if the project has no column for the values as posted, because its migrations are older. */
  let hasRaw = true;

  /** The metrics to read: all, or those for which a project with older migrations has columns. */
  let fields: readonly string[] = FIELDS;

  /**
   * Sends a query. If the project has no column for a metric, leaves out that metric and all later ones, and
   * repeats the query.
   */
  async function send(build: () => Query, signal: AbortSignal): Promise<PostgrestResult> {
    for (;;) {
      const asked = fields;
      const result = await build().retry(false).abortSignal(signal);
      if (result.status > 0) project.answeredAt = performance.now();
      const { code, message = '' } = result.error ?? {};
      if (code === '42703' && hasRaw && message.includes('data.raw ')) {
        hasRaw = false;
        continue;
      }
      const missing = code === '42703' ? asked.findIndex((field) => message.includes(`data.${field} `)) : -1;
      if (missing < CORE_FIELDS) return result;
      fields = asked.slice(0, missing);
      console.warn(
        `[airboard] the Supabase project has no column ${asked[missing]}: only ${fields.join(', ')} are read. Apply ` +
          'supabase/migrations to the project.',
      );
    }
  }

  function select(selection: RowSelection, cursor?: Cursor, count?: 'estimated') {
    const { orderBy, ascending, after, sensor, from, to } = selection;
    let query = client
      .from('data')
      .select(['id', ...fields, 'created_at', 'sensor', ...(hasRaw ? ['raw'] : [])].join(), { count });
    if (sensor !== undefined) query = query.eq('sensor', sensor);
    if (after !== undefined) query = query.gt('id', after);
    if (from !== undefined) query = query.gte('created_at', from);
    if (to !== undefined) query = query.lt('created_at', to);
    const beyond = ascending ? 'gt' : 'lt';
    if (orderBy === 'id') {
      if (cursor) query = query.filter('id', beyond, cursor.id);
      return query.order('id', { ascending });
    }
    // A sensor has only one reading for each time. Ordering by id too would make Postgres sort the rows.
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

  const call = (name: string, parameters: object, signal: AbortSignal) =>
    send(() => client.rpc(name, parameters), signal);

  return {
    /** Returns a signal that is aborted with `signal`, at the latest after `timeoutMs`. */
    newDeadline(signal?: AbortSignal): AbortSignal {
      return timeLimit(timeoutMs, signal);
    },

    /** Returns `limit` rows after the cursor, starting at an offset. */
    page: (
      selection: RowSelection,
      { cursor, offset = 0, limit }: { cursor?: Cursor; offset?: number; limit: number },
      signal: AbortSignal,
    ) => send(() => select(selection, cursor).range(offset, offset + limit - 1), signal),

    /** Returns the first `limit` rows. `count` is the number of all rows, exact up to the project's row limit. */
    firstPage: (selection: RowSelection, limit: number, signal: AbortSignal) =>
      send(() => select(selection, undefined, 'estimated').limit(limit), signal),

    /** Returns the row at an offset, or no row if there are fewer. */
    rowAt: (selection: RowSelection, offset: number, signal: AbortSignal) =>
      send(() => select(selection).range(offset, offset), signal),

    /** Counts the rows of one sensor, or of all, in the result's `count`. Scans the rows. */
    count(sensor: string | undefined, signal: AbortSignal) {
      const query = client.from('data').select('id', { count: 'exact' });
      return send(() => (sensor === undefined ? query : query.eq('sensor', sensor)).limit(1), signal);
    },

    /** Returns `limit` sensors whose names follow `name`. `count` is at least the number of returned rows. */
    async sensors(name: string | undefined, limit: number, signal: AbortSignal): Promise<PostgrestResult> {
      if (hasSensorPages) {
        const asked = { after_sensor: name, at_most: limit };
        const page = () => client.rpc('sensors_page', asked, { get: true, count: 'exact' }).order('sensor');
        const result = await send(page, signal);
        if (result.error?.code !== 'PGRST202') return result;
        hasSensorPages = false;
      }
      const query = client.rpc('sensors', {}, { get: true, count: 'exact' });
      return send(
        () => (name === undefined ? query : query.gt('sensor', name)).order('sensor').limit(limit),
        signal,
      );
    },

    /** Returns the `limit` sensors with the newest readings, newest first. */
    newestSensors: (limit: number, signal: AbortSignal) =>
      send(
        () =>
          client
            .rpc('sensors', {}, { get: true })
            .order('created_at', { ascending: false })
            .order('id', { ascending: false })
            .limit(limit),
        signal,
      ),

    /** Returns the sensor with a name, if it has readings. */
    sensorNamed: (name: string, signal: AbortSignal) =>
      send(() => client.rpc('sensors', {}, { get: true }).eq('sensor', name), signal),

    /** Returns a row if one sensor, or any sensor, has values of a metric besides CO2 and VOC. */
    slotOf(metric: MetricField, sensor: string | undefined, signal: AbortSignal) {
      const query = client.from('metric_slots').select('metric').eq('metric', metric).limit(1);
      return send(() => (sensor === undefined ? query : query.eq('sensor', sensor)), signal);
    },

    /** Calls an SQL function of the migrations. */
    call,

    /** Inserts a row into `notes`, and returns it. */
    addNote: (row: object, signal: AbortSignal) =>
      send(() => client.from('notes').insert(row).select(NOTE_COLUMNS), signal),

    /** Deletes a row of `notes`, and returns the deleted row, if any. */
    removeNote: (id: number, signal: AbortSignal) =>
      send(() => client.from('notes').delete().eq('id', id).select(NOTE_COLUMNS), signal),

    /** Stores readings in one transaction. `data` contains the outcome of each, as returned by `insert_readings`. */
    async insert(readings: readonly ReadingInput[], signal: AbortSignal): Promise<PostgrestResult> {
      const metrics = measuredMetrics(readings).map(({ field }) => field);
      const others = metrics.filter((field) => FIELDS.indexOf(field) >= CORE_FIELDS);
      if (others.length === 0) return call('insert_readings', { readings }, signal);
      // In a project with an older function, this call must fail: without the parameter `metrics`, values would be lost.
      const result = await call('insert_readings', { readings, metrics: others }, signal);
      // The call succeeded, so the project has columns for all metrics.
      if (!result.error) fields = FIELDS;
      return result;
    },
  };
}

/** A query builder of postgrest-js. By default it would retry a failed GET for 7 s. */
interface Query {
  retry(isEnabled: boolean): { abortSignal(signal: AbortSignal): PromiseLike<PostgrestResult> };
}

/**
 * The largest response in MiB. A page of 1,000 rows has 0.1 MB, and 1,000 steps have at most 2 MB for each metric, with
 * the longest numbers that the migrations allow.
 */
export const ANSWER_MIB = 2 * METRICS.length;
const ANSWER_LIMIT = ANSWER_MIB * 1024 * 1024;

/** The name of the error for a response over the limit. */
export const ANSWER_TOO_LARGE = 'AnswerTooLargeError';

/**
 * Like `fetch`, but follows no redirects, which would send the key to another address and repeat a POST as a GET.
 * Reading a body over the limit fails with `AnswerTooLargeError` and ends the connection.
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
