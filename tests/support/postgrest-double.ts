import type { IncomingMessage, ServerResponse } from 'node:http';

/** A row as the table holds it: the time in microseconds since 1970, as Postgres counts. */
export interface Row {
  id: number;
  micros: bigint;
  co2: number;
  voc: number;
}

/** What one request gets instead of its answer. */
export type RestFault =
  | { kind: 'answer'; status: number; body: string }
  /** Never answered; `stored`: but the row is kept. */
  | { kind: 'hang'; stored?: boolean }
  /** The connection is cut. */
  | { kind: 'cut'; stored?: boolean };

type Fields = Record<string, unknown>;

/** PostgREST's answer to what the store asks of one table: as much of it as airboard uses, and no more. */
export class PostgrestDouble {
  rows: Row[] = [];
  /** The most rows in one answer, as a hosted project has it. */
  maxRows = 1000;
  /** Whether the public key may add rows: false as after its policy was dropped. */
  anonMayInsert = true;
  /** How a time is written: as a hosted project does, or as `@supabase/lite` does. */
  timeFormat: 'hosted' | 'lite' = 'hosted';
  numericsAsText = false;
  /** Asked for each request: what to do to it. */
  fault: (method: string) => RestFault | null = () => null;
  /** Every request, as `GET /rest/v1/data?…`. */
  readonly requests: string[] = [];

  constructor(
    private readonly keys: { publicKey: string; secretKey: string },
    private readonly onInsert: (row: Row) => void,
  ) {}

  /** An empty table and no faults. */
  reset(): void {
    this.rows = [];
    this.requests.length = 0;
    this.anonMayInsert = true;
    this.fault = () => null;
  }

  /** Adds a row; its time is now unless told. */
  insert(co2: number, voc: number, micros: bigint = BigInt(Date.now()) * 1000n + 456n): Row {
    const row = { id: (this.rows.at(-1)?.id ?? 0) + 1, micros, co2, voc };
    this.rows.push(row);
    this.onInsert(row);
    return row;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://double');
    const method = request.method ?? 'GET';
    this.requests.push(`${method} ${request.url}`);
    let text = '';
    for await (const chunk of request) text += chunk;
    const fault = this.fault(method);
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, { 'Content-Type': 'text/plain' }).end(fault.body);
      return;
    }
    const { status, body, headers } =
      fault && !fault.stored ? { status: 0, body: '' } : this.#process(method, url, request, text);
    if (fault?.kind === 'cut') request.socket.destroy();
    if (fault) return;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  }

  #process(method: string, url: URL, request: IncomingMessage, text: string) {
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
      const refusal = this.#refusal(JSON.parse(text), key === this.keys.secretKey);
      if (refusal) return refusal;
      const { co2, voc } = JSON.parse(text);
      return { status: 201, body: [this.#show(this.insert(Number(co2), Number(voc)), columns)] };
    }
    const found = this.#select(url.searchParams);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit') ?? this.maxRows), this.maxRows);
    const page = found.slice(offset, offset + limit);
    const total = String(request.headers.prefer).includes('count=exact') ? found.length : '*';
    return {
      status: total === '*' || page.length === found.length ? 200 : 206,
      body: page.map((row) => this.#show(row, columns)),
      headers: { 'Content-Range': `${offset}-${offset + page.length - 1}/${total}` },
    };
  }

  #refusal(fields: Fields, isSecret: boolean) {
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
      .filter((row) => conditions.every((holds) => holds(row)))
      .sort((a, b) => {
        for (const [column = '', direction] of order) {
          const [left, right] = [columnOf(a, column), columnOf(b, column)];
          if (left !== right) return left < right === (direction !== 'desc') ? -1 : 1;
        }
        return 0;
      });
  }

  #show(row: Row, columns: string[]): Fields {
    const value = (number: number) => (this.numericsAsText ? String(number) : number);
    const all: Fields = {
      id: row.id,
      created_at: writeTime(row.micros, this.timeFormat),
      co2: value(row.co2),
      voc: value(row.voc),
    };
    return Object.fromEntries(columns.map((name) => [name, all[name]]));
  }
}

/** A time as Postgres writes it: without the zeros at its end. */
export function writeTime(micros: bigint, format: 'hosted' | 'lite'): string {
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, 19);
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const time = fraction ? `${seconds}.${fraction}` : seconds;
  return format === 'hosted' ? `${time}+00:00` : `${time.replace('T', ' ')}+00`;
}

function readTime(text: string): bigint {
  const [, seconds, fraction = ''] = /^([\d-]+T[\d:]+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  if (!seconds) throw new Error(`a time must be sent in UTC with Z, not as ${text}`);
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** One filter, `column.operator.value`, or `and(…)` of several. */
function condition(text: string): (row: Row) => boolean {
  if (text.startsWith('and(')) {
    const parts = splitList(text.slice(4, -1)).map(condition);
    return (row) => parts.every((holds) => holds(row));
  }
  const [, column = '', operator, value = ''] = /^(\w+)\.(\w+)\.(.+)$/.exec(text) ?? [];
  const limit = column === 'created_at' ? readTime(value) : BigInt(value);
  const compare = (row: Row) => {
    const own = BigInt(columnOf(row, column));
    return own === limit ? 0 : own < limit ? -1 : 1;
  };
  if (operator === 'eq') return (row) => compare(row) === 0;
  if (operator === 'lt') return (row) => compare(row) < 0;
  if (operator === 'lte') return (row) => compare(row) <= 0;
  if (operator === 'gt') return (row) => compare(row) > 0;
  if (operator === 'gte') return (row) => compare(row) >= 0;
  throw new Error(`the double knows no filter ${text}`);
}

const any = (conditions: ((row: Row) => boolean)[]) => (row: Row) => conditions.some((holds) => holds(row));

/** Splits at commas that are not within parentheses. */
function splitList(text: string): string[] {
  return text.match(/(?:[^,(]|\([^)]*\))+/g) ?? [];
}

function columnOf(row: Row, column: string): bigint | number {
  return column === 'created_at' ? row.micros : row.id;
}
