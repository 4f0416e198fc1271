import type { IncomingMessage, ServerResponse } from 'node:http';

/** A row of the table. `micros` is its time in microseconds since 1970, the precision of Postgres. */
export interface Row {
  id: number;
  micros: bigint;
  co2: number;
  voc: number;
}

/** A fault that replaces the response to a request. */
export type RestFault =
  | { kind: 'answer'; status: number; body: string; headers?: Record<string, string> }
  /** Never responds; with `stored`, after storing the row. */
  | { kind: 'hang'; stored?: boolean }
  /** Cuts the connection; with `stored`, after storing the row. */
  | { kind: 'cut'; stored?: boolean };

type Fields = Record<string, unknown>;

/** Stands in for PostgREST with one table; supports exactly the requests that airboard makes. */
export class PostgrestDouble {
  rows: Row[] = [];
  /** The most rows in one response; 1,000 in a hosted project by default. */
  maxRows = 1000;
  /** False simulates a project whose insert policy for the public key was dropped. */
  anonMayInsert = true;
  /** The format of times: that of a hosted project, or of `@supabase/lite`. */
  timeFormat: 'hosted' | 'lite' = 'hosted';
  numericsAsText = false;
  /** Returns the fault of a request, or null. */
  fault: (method: string) => RestFault | null = () => null;
  /** Every request so far, as `GET /rest/v1/data?…`. */
  readonly requests: string[] = [];

  constructor(
    private readonly keys: { publicKey: string; secretKey: string },
    private readonly onInsert: (row: Row) => void,
  ) {}

  /** Empties the table and ends the faults. */
  reset(): void {
    this.rows = [];
    this.requests.length = 0;
    this.anonMayInsert = true;
    this.fault = () => null;
  }

  /** Adds a row, by default with the current time. */
  insert(co2: number, voc: number, micros: bigint = BigInt(Date.now()) * 1000n + 456n): Row {
    const row = { id: (this.rows.at(-1)?.id ?? 0) + 1, micros, co2, voc };
    this.rows.push(row);
    this.onInsert(row);
    return row;
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://double');
    const method = request.method ?? 'GET';
    this.requests.push(`${method} ${request.url}`);
    let text = '';
    for await (const chunk of request) text += chunk;
    const fault = this.fault(method);
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, { 'Content-Type': 'text/plain', ...fault.headers }).end(fault.body);
      return;
    }
    const { status, body, headers } =
      fault && !fault.stored ? { status: 0, body: '' } : this.#handle(method, url, request, text);
    if (fault?.kind === 'cut') request.socket.destroy();
    if (fault) return;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  }

  #handle(method: string, url: URL, request: IncomingMessage, text: string) {
    const key = request.headers.apikey;
    if (key !== this.keys.publicKey && key !== this.keys.secretKey) {
      return { status: 401, body: { message: 'Invalid API key' } };
    }
    if (!['GET', 'POST'].includes(method)) {
      return { status: 401, body: { code: '42501', message: 'permission denied for table data' } };
    }
    if (url.pathname !== '/rest/v1/data') {
      return { status: 404, body: { code: 'PGRST205', message: 'Could not find the table' } };
    }
    const columns = url.searchParams.get('select')?.split(',') ?? ['id', 'created_at', 'co2', 'voc'];
    if (method === 'POST') {
      const rejection = this.#rejectInsert(JSON.parse(text), key === this.keys.secretKey);
      if (rejection) return rejection;
      const { co2, voc } = JSON.parse(text);
      return { status: 201, body: [this.#format(this.insert(Number(co2), Number(voc)), columns)] };
    }
    const found = this.#select(url.searchParams);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit') ?? this.maxRows), this.maxRows);
    const page = found.slice(offset, offset + limit);
    const total = String(request.headers.prefer).includes('count=exact') ? found.length : '*';
    return {
      status: total === '*' || page.length === found.length ? 200 : 206,
      body: page.map((row) => this.#format(row, columns)),
      headers: { 'Content-Range': `${offset}-${offset + page.length - 1}/${total}` },
    };
  }

  #rejectInsert(fields: Fields, isSecret: boolean) {
    const forbidden = Object.keys(fields).some((name) => !['co2', 'voc'].includes(name));
    if (forbidden)
      return { status: 401, body: { code: '42501', message: 'permission denied for table data' } };
    if (!isSecret && !this.anonMayInsert) {
      const message = 'new row violates row-level security policy for table "data"';
      return { status: 401, body: { code: '42501', message } };
    }
    if (![fields.co2, fields.voc].every((value) => Number.isFinite(Number(value ?? Number.NaN)))) {
      const message = 'new row for relation "data" violates check constraint "data_co2_finite"';
      return { status: 400, body: { code: '23514', message } };
    }
    return null;
  }

  #select(parameters: URLSearchParams): Row[] {
    const conditions: ((row: Row) => boolean)[] = [];
    for (const [name, value] of parameters) {
      if (name === 'or') conditions.push(any(splitList(value.slice(1, -1)).map(condition)));
      else if (!['select', 'order', 'limit', 'offset', 'columns'].includes(name)) {
        conditions.push(condition(`${name}.${value}`));
      }
    }
    const order = (parameters.get('order') ?? 'id.asc').split(',').map((part) => part.split('.'));
    return this.rows
      .filter((row) => conditions.every((matches) => matches(row)))
      .sort((a, b) => {
        for (const [column = '', direction] of order) {
          const [left, right] = [columnOf(a, column), columnOf(b, column)];
          if (left !== right) return left < right === (direction !== 'desc') ? -1 : 1;
        }
        return 0;
      });
  }

  #format(row: Row, columns: string[]): Fields {
    const value = (number: number) => (this.numericsAsText ? String(number) : number);
    const all: Fields = {
      id: row.id,
      created_at: formatTime(row.micros, this.timeFormat),
      co2: value(row.co2),
      voc: value(row.voc),
    };
    return Object.fromEntries(columns.map((name) => [name, all[name]]));
  }
}

/** Formats a time as Postgres does, without trailing zeros. */
export function formatTime(micros: bigint, format: 'hosted' | 'lite'): string {
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, 19);
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const time = fraction ? `${seconds}.${fraction}` : seconds;
  return format === 'hosted' ? `${time}+00:00` : `${time.replace('T', ' ')}+00`;
}

function parseTime(text: string): bigint {
  const [, seconds, fraction = ''] = /^([\d-]+T[\d:]+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  if (!seconds) throw new Error(`times must be sent in UTC with Z, not as ${text}`);
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** Parses one filter, `column.operator.value`, or `and(…)` of several. */
function condition(text: string): (row: Row) => boolean {
  if (text.startsWith('and(')) {
    const parts = splitList(text.slice(4, -1)).map(condition);
    return (row) => parts.every((matches) => matches(row));
  }
  const [, column = '', operator, value = ''] = /^(\w+)\.(\w+)\.(.+)$/.exec(text) ?? [];
  const limit = column === 'created_at' ? parseTime(value) : BigInt(value);
  const compare = (row: Row) => {
    const own = BigInt(columnOf(row, column));
    return own === limit ? 0 : own < limit ? -1 : 1;
  };
  if (operator === 'eq') return (row) => compare(row) === 0;
  if (operator === 'lt') return (row) => compare(row) < 0;
  if (operator === 'lte') return (row) => compare(row) <= 0;
  if (operator === 'gt') return (row) => compare(row) > 0;
  if (operator === 'gte') return (row) => compare(row) >= 0;
  throw new Error(`unsupported filter: ${text}`);
}

const any = (conditions: ((row: Row) => boolean)[]) => (row: Row) =>
  conditions.some((matches) => matches(row));

/** Splits at commas outside parentheses. */
function splitList(text: string): string[] {
  return text.match(/(?:[^,(]|\([^)]*\))+/g) ?? [];
}

function columnOf(row: Row, column: string): bigint | number {
  return column === 'created_at' ? row.micros : row.id;
}
