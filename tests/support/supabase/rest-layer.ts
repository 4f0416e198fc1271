import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectDatabase, Query, Role } from './project-database';

/** A fault that replaces the response to a request. */
export type RestFault =
  | { kind: 'answer'; status: number; body: string; headers?: Record<string, string> }
  /** Never responds; with `stored`, after storing the row. */
  | { kind: 'hang'; stored?: boolean }
  /** Cuts the connection; with `stored`, after storing the row. */
  | { kind: 'cut'; stored?: boolean };

/** `body` is JSON, or empty. */
interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** The faults of a `RestLayer`, which last until the next reset. By default there is none. */
class RestFaults {
  /** The maximum number of rows in one response; 1,000 in a hosted project by default. */
  maxRows = 1000;
  /** The delay of each answer. */
  delayMs = 0;
  /** Returns the fault of a request, or null. */
  fault: (method: string, path: string) => RestFault | null = () => null;
}

/** The part of PostgREST that airboard uses, on a database with the migrations. */
export class RestLayer extends RestFaults {
  /** Every request so far, as `GET /rest/v1/data?…`. */
  readonly requests: string[] = [];

  /** @param onWrite called after each request that may have inserted readings */
  constructor(
    private readonly keys: { publicKey: string; secretKey: string },
    private readonly database: ProjectDatabase,
    private readonly onWrite: () => Promise<void>,
  ) {
    super();
  }

  endFaults(): void {
    Object.assign(this, new RestFaults());
    this.requests.length = 0;
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
    const answer = fault && !fault.stored ? null : await this.#handle(method, url, request, text);
    await this.#delay();
    if (fault?.kind === 'cut') request.socket.destroy();
    if (fault || !answer) return;
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(answer.body);
  }

  async #delay(): Promise<void> {
    if (this.delayMs > 0) await sleep(this.delayMs);
  }

  async #handle(method: string, url: URL, { headers }: IncomingMessage, text: string): Promise<Answer> {
    const { publicKey, secretKey } = this.keys;
    const key = headers.apikey;
    if (key !== publicKey && key !== secretKey) return failure(401, { message: 'Invalid API key' });
    const role = key === secretKey ? 'service_role' : 'anon';
    const path = url.pathname.replace('/rest/v1/', '');
    const rpc = /^rpc\/(\w+)$/.exec(path)?.[1];
    try {
      const answer = await this.database.as(role, async (query) => {
        if (method === 'GET') {
          const source = rpc
            ? await functionRows(query, rpc, url.searchParams)
            : `public.${quoted(path)} as ${quoted(path)}`;
          return this.#select(query, source, rpc ?? path, url.searchParams, String(headers.prefer));
        }
        if (method === 'POST' && rpc) return call(query, rpc, text);
        const isInsert = method === 'POST';
        if (!isInsert && method !== 'DELETE') return failure(405, { message: `no ${method}` });
        const changed = isInsert
          ? insertion(path, text)
          : `delete from public.${quoted(path)} ${where(url.searchParams, path)}`;
        const { body } = await query<{ body: string }>(
          `with changed as (${changed} returning ${columnsOf(url.searchParams, path)})
           select coalesce(json_agg(changed), '[]')::text as body from changed`,
          isInsert ? [text] : [],
        );
        return { status: isInsert ? 201 : 200, body };
      });
      if (method === 'POST') await this.onWrite();
      return answer;
    } catch (error) {
      return describe(error as SqlError, role, path);
    }
  }

  /** Answers with the rows of a table or a function that the query selects. */
  async #select(
    query: Query,
    source: string,
    name: string,
    parameters: URLSearchParams,
    prefer: string,
  ): Promise<Answer> {
    const from = `from ${source} ${where(parameters, name)}`;
    const total = await this.#total(query, from, prefer);
    const offset = Number(parameters.get('offset') ?? 0);
    if (total !== '*' && offset > total) {
      const details = `An offset of ${offset} was requested, but there are only ${total} rows.`;
      return failure(416, { code: 'PGRST103', message: 'Requested range not satisfiable', details });
    }
    const limit = Math.min(Number(parameters.get('limit') ?? this.maxRows), this.maxRows);
    const order = parameters
      .get('order')
      ?.split(',')
      .map((part) => part.replace('.', ' '));
    const { body, rows } = await query<{ body: string; rows: number }>(
      `select coalesce(json_agg(page), '[]')::text as body, count(*)::integer as rows
       from (select ${columnsOf(parameters, name)} ${from} ${order ? `order by ${order}` : ''} limit ${limit} offset ${offset}) as page`,
    );
    const range = rows > 0 ? `${offset}-${offset + rows - 1}` : '*';
    return {
      status: total === '*' || rows >= total ? 200 : 206,
      body,
      headers: { 'Content-Range': `${range}/${total}` },
    };
  }

  /**
   * Returns the total that `Prefer` requests. An estimate is exact up to `maxRows`. For more rows it is too low, as a planner's
   * guess may be.
   */
  async #total(query: Query, from: string, prefer: string): Promise<number | '*'> {
    if (!/count=(exact|estimated)/.test(prefer)) return '*';
    const { rows } = await query<{ rows: number }>(`select count(*)::integer as rows ${from}`);
    if (prefer.includes('count=exact') || rows <= this.maxRows) return rows;
    return Math.max(this.maxRows + 1, Math.round(rows * 0.9));
  }
}

interface SqlError {
  code?: string;
  message: string;
  detail?: string;
}

function failure(status: number, error: { code?: string; message: string; details?: string }): Answer {
  return { status, body: JSON.stringify({ code: '', details: null, hint: null, ...error }) };
}

const STATUSES: Record<string, number> = { PGRST202: 404, '42P01': 404, '23505': 409, '57014': 500 };

/** Returns PostgREST's answer to an error of the database. */
function describe({ code, message, detail }: SqlError, role: Role, path: string): Answer {
  if (code === '42P01' && !path.startsWith('rpc/')) {
    return failure(404, {
      code: 'PGRST205',
      message: `Could not find the table 'public.${path}' in the schema cache`,
    });
  }
  const status =
    code === '42501' ? (role === 'anon' ? 401 : 403) : (STATUSES[code ?? ''] ?? (code ? 400 : 500));
  return failure(status, { code, message, details: detail });
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** Returns the columns in `select`. They are qualified, as the errors for missing ones are. */
function columnsOf(parameters: URLSearchParams, table: string): string {
  const names = parameters.get('select');
  if (!names || names === '*') return '*';
  return names
    .split(',')
    .map((name) => `${quoted(table)}.${quoted(name)}`)
    .join();
}

const OPERATORS: Record<string, string> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

function where(parameters: URLSearchParams, table: string): string {
  const conditions = [...parameters]
    .filter(([name]) => !['select', 'order', 'limit', 'offset', 'columns'].includes(name))
    .map(([name, value]) => (name === 'or' ? anyOf(value) : condition(`${name}.${value}`, table)));
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';

  /** @param list such as `(created_at.gt.TIME,and(created_at.eq.TIME,id.gt.5))` */
  function anyOf(list: string): string {
    const parts = list.slice(1, -1).match(/and\(.*?\)|[^,]+/g) ?? [];
    return `(${parts.map((part) => (part.startsWith('and(') ? allOf(part) : condition(part, table))).join(' or ')})`;
  }

  function allOf(list: string): string {
    return `(${list
      .slice(4, -1)
      .split(',')
      .map((part) => condition(part, table))
      .join(' and ')})`;
  }
}

/** @param text `column.operator.value` */
function condition(text: string, table: string): string {
  const [, column = '', operator = '', value = ''] = /^(\w+)\.(\w+)\.(.*)$/s.exec(text) ?? [];
  if (!OPERATORS[operator]) throw new Error(`unsupported filter: ${text}`);
  return `${quoted(table)}.${quoted(column)} ${OPERATORS[operator]} ${literal(value)}`;
}

function insertion(table: string, text: string): string {
  const columns = Object.keys(JSON.parse(text)).map(quoted).join();
  return `insert into public.${quoted(table)} (${columns})
    select ${columns} from json_populate_record(null::public.${quoted(table)}, $1)`;
}

/** A parameter's name and type. */
type Parameter = [name: string, type: string];

/** Returns the sent parameters of a function. Throws PostgREST's error if it has other ones. */
async function parametersOf(
  query: Query,
  name: string,
  sent: string[],
): Promise<{ sent: Parameter[]; isVoid: boolean }> {
  const found = await query<{ parameters: Parameter[]; required: number; is_void: boolean } | undefined>(
    `select pronargs - pronargdefaults as required, prorettype = 'void'::regtype as is_void,
       array(select json_build_array(proargnames[n], format_type(proargtypes[n - 1], null)) from generate_series(1, pronargs) n)
         as parameters
     from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
    [name],
  );
  const known = found?.parameters ?? [];
  const isKnown = sent.every((wanted) => known.some(([parameter]) => parameter === wanted));
  const isComplete = known.slice(0, found?.required).every(([parameter]) => sent.includes(parameter));
  if (!found || !isKnown || !isComplete) {
    const message = `Could not find the function public.${name}(${sent.toSorted().join(', ')}) in the schema cache`;
    throw Object.assign(new Error(message), { code: 'PGRST202' });
  }
  return { sent: known.filter(([parameter]) => sent.includes(parameter)), isVoid: found.is_void };
}

/** Returns the source of a query for the rows of a function. Removes its parameters from those of the request. */
async function functionRows(query: Query, name: string, parameters: URLSearchParams): Promise<string> {
  const others = ['select', 'order', 'limit', 'offset'];
  const values = [...parameters].filter(
    ([key, value]) => !others.includes(key) && !/^(eq|gt|gte|lt|lte)\./.test(value),
  );
  const { sent } = await parametersOf(
    query,
    name,
    values.map(([key]) => key),
  );
  const list = sent.map(([key, type]) => `${key} => ${literal(parameters.get(key) ?? '')}::${type}`);
  for (const [key] of values) parameters.delete(key);
  return `public.${quoted(name)}(${list.join()}) as ${quoted(name)}`;
}

/** Calls a function with the parameters in a body. */
async function call(query: Query, name: string, text: string): Promise<Answer> {
  const { sent, isVoid } = await parametersOf(query, name, Object.keys(JSON.parse(text)));
  const types = sent.map(([key, type]) => `${quoted(key)} ${type}`).join();
  const list = sent.map(([key]) => `${key} => args.${quoted(key)}`).join();
  const result = `public.${quoted(name)}(${list})`;
  const { body } = await query<{ body: string | null }>(
    `select ${isVoid ? `${result}::text` : `to_json(${result})::text`} as body ${types && `from json_to_record($1) as args (${types})`}`,
    types ? [text] : [],
  );
  return isVoid ? { status: 204, body: '' } : { status: 200, body: body ?? 'null' };
}
