import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { at } from '../../../app/readings/at';
import { METRICS, type MetricField } from '../../../app/readings/metric';
import { type MetricValues, valuesIn } from '../../../app/readings/reading';
import { PostgrestAlerts } from './postgrest-alerts';
import {
  formatTime,
  historySteps,
  insertReadings,
  type Row,
  type SensorRow,
  type SentReading,
  select,
  sensorRows,
  summaryNumbers,
} from './postgrest-functions';
import { PostgrestRooms } from './postgrest-rooms';

/** A fault that replaces the response to a request. */
export type RestFault =
  | { kind: 'answer'; status: number; body: string; headers?: Record<string, string> }
  /** Never responds; with `stored`, after storing the row. */
  | { kind: 'hang'; stored?: boolean }
  /** Cuts the connection; with `stored`, after storing the row. */
  | { kind: 'cut'; stored?: boolean };

type Fields = Record<string, unknown>;

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A row to insert. By default, it belongs to the unnamed sensor, and gets the sensor's next free time and the next id. */
export type NewRow = MetricValues & Partial<Row>;

/** Simulates PostgREST with the tables and functions of the migrations. Supports only airboard's requests. */
export class PostgrestDouble {
  rows: Row[] = [];
  /** The maximum number of rows in one response; 1,000 in a hosted project by default. */
  maxRows = 1000;
  /** The milliseconds by which the database's clock is ahead. */
  clockLeadMs = 0;
  /** The delay of each answer. */
  delayMs = 0;
  /** False simulates a project without the select policy for the public key, which then sees an empty table. */
  anonMaySelect = true;
  /** False simulates a project without the insert policy for the public key. */
  anonMayInsert = true;
  /** False simulates a project to which the migration of sensors was not applied. */
  isMigrated = true;
  /** False simulates a project to which the migration of metrics besides CO2 and VOC was not applied. */
  hasMetrics = true;
  /** False simulates a project to which the migration of the history was not applied. */
  hasHistory = true;
  /** False simulates a project to which the migration of the alerts was not applied. */
  hasAlerts = true;
  /** False simulates a project to which the migration of notes and rooms was not applied. */
  hasRooms = true;
  /** False simulates a project to which the migration of pages of sensors was not applied. */
  hasSensorPages = true;
  rooms = new PostgrestRooms();
  alerts = new PostgrestAlerts();
  /** The format of times, as in a hosted project or in `@supabase/lite`. */
  timeFormat: 'hosted' | 'lite' = 'hosted';
  numericsAsText = false;
  /** Returns the fault of a request, or null. */
  fault: (method: string, path: string) => RestFault | null = () => null;
  /** Every request so far, as `GET /rest/v1/data?…`. */
  readonly requests: string[] = [];
  #takenId = 0;

  constructor(
    private readonly keys: { publicKey: string; secretKey: string },
    private readonly onInsert: (row: Row) => void,
  ) {}

  /** Empties the table, restarts its ids and ends the faults. */
  reset(): void {
    this.rows = [];
    this.#takenId = 0;
    this.requests.length = 0;
    this.delayMs = 0;
    this.clockLeadMs = 0;
    this.maxRows = 1000;
    this.anonMaySelect = true;
    this.anonMayInsert = true;
    this.isMigrated = true;
    this.hasMetrics = true;
    this.hasHistory = true;
    this.hasAlerts = true;
    this.hasRooms = true;
    this.rooms = new PostgrestRooms();
    this.alerts = new PostgrestAlerts();
    this.fault = () => null;
  }

  /** Takes an id for an insert, whose row may be committed after rows with higher ids. */
  takeId(): number {
    this.#takenId = Math.max(this.#takenId, this.rows.at(-1)?.id ?? 0) + 1;
    return this.#takenId;
  }

  /** Adds a row with a time that its sensor has not used. */
  insert({ sensor = '', micros = this.#freeTime(sensor), id = this.takeId(), ...values }: NewRow): Row {
    if (this.find(sensor, micros)) throw new Error(`"${sensor}" has a row at ${micros}`);
    const row = { id, micros, ...valuesIn(values), sensor };
    this.rows.push(row);
    this.onInsert(row);
    return row;
  }

  /** Returns the row of a sensor and a time. */
  find(sensor: string, micros: bigint): Row | undefined {
    return this.rows.find((row) => row.micros === micros && row.sensor === sensor);
  }

  #freeTime(sensor: string): bigint {
    let micros = BigInt(Date.now() + this.clockLeadMs) * 1000n + 456n;
    while (this.find(sensor, micros)) micros++;
    return micros;
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://double');
    const method = request.method ?? 'GET';
    this.requests.push(`${method} ${request.url}`);
    let text = '';
    for await (const chunk of request) text += chunk;
    const fault = this.fault(method, url.pathname);
    if (fault?.kind === 'answer') {
      await this.#delay();
      response.writeHead(fault.status, { 'Content-Type': 'text/plain', ...fault.headers }).end(fault.body);
      return;
    }
    const { status, body, headers }: Answer =
      fault && !fault.stored ? { status: 0, body: '' } : await this.#handle(method, url, request, text);
    await this.#delay();
    if (fault?.kind === 'cut') request.socket.destroy();
    if (fault) return;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body === null ? undefined : JSON.stringify(body));
  }

  async #delay(): Promise<void> {
    if (this.delayMs > 0) await sleep(this.delayMs);
  }

  #handle(method: string, url: URL, request: IncomingMessage, text: string): Answer | Promise<Answer> {
    const key = request.headers.apikey;
    if (key !== this.keys.publicKey && key !== this.keys.secretKey) {
      return { status: 401, body: { message: 'Invalid API key' } };
    }
    const isSecret = key === this.keys.secretKey;
    const path = url.pathname.replace('/rest/v1/', '');
    const isAlerts = path.startsWith('rpc/alert_');
    const isRooms = ['notes', 'rpc/list_notes', 'rpc/room_load', 'rpc/room_keep'].includes(path);
    const isApplied = isAlerts
      ? this.hasAlerts
      : (this.hasRooms || !isRooms) &&
        (this.hasHistory || !['rpc/history', 'rpc/summary', 'rpc/prune_readings'].includes(path));
    const isKnown = this.isMigrated && isApplied;
    if (!isKnown && path.startsWith('rpc/')) {
      const message = `Could not find the function public.${path.slice(4)} in the schema cache`;
      return { status: 404, body: failure('PGRST202', message) };
    }
    if (method === 'POST' && path === 'rpc/insert_readings') {
      const { readings, metrics } = JSON.parse(text);
      if (metrics && !this.hasMetrics) {
        const message =
          'Could not find the function public.insert_readings(metrics, readings) in the schema cache';
        return { status: 404, body: failure('PGRST202', message) };
      }
      return this.#insertReadings(readings, isSecret);
    }
    if (isRooms && isKnown) return this.#answerRooms(method, path, url, text, isSecret);
    if (path === 'notes') {
      const message = "Could not find the table 'public.notes' in the schema cache";
      return { status: 404, body: failure('PGRST205', message) };
    }
    if (method === 'POST' && isAlerts) return this.#callAlerts(path.slice(4), JSON.parse(text), isSecret);
    if (method === 'POST' && path === 'rpc/history') {
      return { status: 200, body: historySteps(this.#visible(isSecret), JSON.parse(text)) };
    }
    if (method === 'POST' && path === 'rpc/prune_readings') {
      if (!isSecret) return { status: 401, body: failure('42501', 'permission denied for function') };
      const { before, at_most } = JSON.parse(text);
      const old = this.rows.filter(({ micros }) => micros < BigInt(Date.parse(before)) * 1000n);
      const deleted = old.sort((a, b) => Number(a.micros - b.micros)).slice(0, at_most);
      this.rows = this.rows.filter((row) => !deleted.includes(row));
      return { status: 200, body: deleted.length };
    }
    if (method === 'POST' && path === 'rpc/summary') {
      return summaryNumbers(this.#visible(isSecret), JSON.parse(text)).then((body) => ({
        status: 200,
        body,
      }));
    }
    if (method !== 'GET') return { status: 401, body: failure('42501', 'permission denied for table data') };
    if (path === 'rpc/sensors_page' && this.hasSensorPages) {
      const { searchParams } = url;
      const after = searchParams.get('after_sensor');
      const rows = sensorRows(this.#visible(isSecret))
        .filter(({ sensor }) => after === null || sensor > after)
        .sort((a, b) => (a.sensor < b.sensor ? -1 : 1))
        .slice(0, Number(searchParams.get('at_most')));
      for (const name of ['after_sensor', 'at_most']) searchParams.delete(name);
      return this.#answer(rows, SENSOR_COLUMNS, url, request);
    }
    if (path === 'rpc/sensors_page') {
      return { status: 404, body: failure('PGRST202', 'Could not find the function public.sensors_page') };
    }
    if (path === 'rpc/sensors')
      return this.#answer(sensorRows(this.#visible(isSecret)), SENSOR_COLUMNS, url, request);
    if (path === 'metric_slots' && this.hasMetrics) {
      const { metric, sensor } = Object.fromEntries(
        [...url.searchParams].map(([name, value]) => [name, value.replace(/^eq\./, '')]),
      );
      const field = at(
        METRICS.map(({ field }) => field).filter((field) => field === metric),
        0,
      );
      const isFound = this.#visible(isSecret).some(
        (row) => (sensor === undefined || row.sensor === sensor) && (row[field] ?? null) !== null,
      );
      return { status: 200, body: isFound ? [{ metric }] : [] };
    }
    if (path !== 'data') return { status: 404, body: failure('PGRST205', 'Could not find the table') };
    const columns = url.searchParams.get('select')?.split(',') ?? [];
    if (!this.isMigrated && columns.includes('sensor')) {
      return { status: 400, body: failure('42703', 'column data.sensor does not exist') };
    }
    const missing = columns.find((name) => !this.hasMetrics && OTHERS.some((field) => field === name));
    if (missing) return { status: 400, body: failure('42703', `column data.${missing} does not exist`) };
    return this.#answer(this.#visible(isSecret), columns, url, request);
  }

  #callAlerts(name: string, parameters: Fields, isSecret: boolean): Answer {
    if (!isSecret) return { status: 401, body: failure('42501', `permission denied for function ${name}`) };
    try {
      return { status: 200, body: this.alerts.call(name.replace('alert_', ''), parameters) };
    } catch (error) {
      return { status: 400, body: failure('23502', (error as Error).message) };
    }
  }

  #answerRooms(method: string, path: string, url: URL, text: string, isSecret: boolean): Answer {
    const sent = text && JSON.parse(text);
    if (path === 'rpc/list_notes') return { status: 200, body: this.rooms.list(sent) };
    if (path === 'notes' && method === 'POST') {
      const row = this.rooms.add(sent);
      const message = 'new row for relation "notes" violates check constraint "notes_order"';
      return row ? { status: 201, body: [row] } : { status: 400, body: failure('23514', message) };
    }
    if (!isSecret) return { status: 401, body: failure('42501', 'permission denied') };
    if (path === 'rpc/room_load') return { status: 200, body: this.rooms.load(sent) };
    if (path === 'rpc/room_keep') {
      this.rooms.keep(sent.days, (name) => this.rows.some(({ sensor }) => sensor === name));
      return { status: 204, body: null };
    }
    return { status: 200, body: this.rooms.remove(Number(url.searchParams.get('id')?.replace('eq.', ''))) };
  }

  #visible(isSecret: boolean): Row[] {
    return this.anonMaySelect || isSecret ? this.rows : [];
  }

  /** Answers with the rows that the query selects. */
  #answer(rows: readonly (Row | SensorRow)[], columns: string[], url: URL, request: IncomingMessage) {
    const found = select(rows, url.searchParams);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit') ?? this.maxRows), this.maxRows);
    const page = found.slice(offset, offset + limit);
    const total = this.#total(found.length, String(request.headers.prefer));
    if (total !== '*' && offset > total) {
      const details = `An offset of ${offset} was requested, but there are only ${total} rows.`;
      return { status: 416, body: failure('PGRST103', 'Requested range not satisfiable', details) };
    }
    const range = page.length > 0 ? `${offset}-${offset + page.length - 1}` : '*';
    return {
      status: total === '*' || page.length >= total ? 200 : 206,
      body: page.map((row) => this.#format(row, columns)),
      headers: { 'Content-Range': `${range}/${total}` },
    };
  }

  /**
   * Returns the total that `Prefer` requests. An estimate is exact up to `maxRows`. For more rows it is too low, as a planner's
   * guess may be.
   */
  #total(rows: number, prefer: string): number | '*' {
    if (prefer.includes('count=exact')) return rows;
    if (!prefer.includes('count=estimated') || this.timeFormat === 'lite') return '*';
    return rows > this.maxRows ? Math.max(this.maxRows + 1, Math.round(rows * 0.9)) : rows;
  }

  #insertReadings(sent: readonly SentReading[], isSecret: boolean) {
    if (!isSecret && !this.anonMayInsert) {
      const message = 'new row violates row-level security policy for table "data"';
      return { status: 401, body: failure('42501', message) };
    }
    const results = insertReadings(sent, this).map(({ reading, ...result }) =>
      reading
        ? { ...result, reading: this.#format(reading, [...COLUMNS, ...Object.keys(valuesIn(reading))]) }
        : result,
    );
    return { status: 200, body: results };
  }

  #format(row: Row | SensorRow, columns: readonly string[]): Fields {
    const value = (number: number | null) =>
      this.numericsAsText && number !== null ? String(number) : number;
    const metrics = METRICS.map(({ field }) => [field, value(row[field] ?? null)] as const);
    const others = metrics.slice(CORE_METRICS).filter(([, number]) => number !== null);
    const all: Fields = {
      ...Object.fromEntries(metrics),
      id: row.id,
      created_at: formatTime(row.micros, this.timeFormat),
      sensor: row.sensor,
      first_heard: 'firstMicros' in row ? formatTime(row.firstMicros, this.timeFormat) : undefined,
      metrics: Object.fromEntries(others),
    };
    return Object.fromEntries(columns.map((name) => [name, all[name]]));
  }
}

const CORE_METRICS = 2;
const OTHERS: readonly MetricField[] = METRICS.slice(CORE_METRICS).map(({ field }) => field);
const COLUMNS = ['id', 'co2', 'voc', 'created_at', 'sensor'];
const SENSOR_COLUMNS = [...COLUMNS, 'first_heard', 'metrics'];

/** Returns the body of an error. */
function failure(code: string, message: string, details: string | null = null) {
  return { code, message, details, hint: null };
}
