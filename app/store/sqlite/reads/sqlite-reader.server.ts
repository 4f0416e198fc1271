import { setImmediate as nextTurn } from 'node:timers/promises';
import AsyncDatabase from 'libsql/promise';
import type { MetricField } from '../../../readings/metric';
import type { Reading } from '../../../readings/reading';
import { formatReadingTime } from '../../../readings/time/reading-time';

/** The values of a statement's parameters, by position or by name. */
type Bound = (number | string)[] | [Readonly<Record<string, number | string>>];

/** The methods of libsql's asynchronous statement that are used here; libsql types them as `any`. */
interface Statement {
  columns(): unknown[];
  raw(): Statement;
  all(...bound: Bound): Promise<[[rows: string | null]]>;
}

/** Reads rows, each an array of its columns. */
export type ReadRows = <Row>(sql: string, ...bound: Bound) => Promise<Row[]>;

/**
 * Reads a database through its own connection, in a libsql thread. The event loop never waits for the disk, which may
 * take a second for a page that the system hasn't cached.
 *
 * Queries run one at a time, in call order. Each starts in a new event-loop turn, so many queries delay other requests
 * no longer than a single query.
 */
export function sqliteReader(file: string): { all: ReadRows; close(): Promise<void> } {
  const database = new AsyncDatabase(file, {});
  const statements = new Map<string, Promise<Statement>>();
  /** Kept so that garbage collection doesn't close them, which would block the event loop while a query runs. */
  const described: Statement[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function prepare(sql: string): Promise<Statement> {
    const plain: Statement = await database.prepare(sql);
    described.push(plain);
    const columns = plain.columns().map((_, i) => `column${i}`);
    return (await database.prepare(asOneText(sql, columns))).raw();
  }

  function prepareOnce(sql: string): Promise<Statement> {
    const known = statements.get(sql);
    if (known) return known;
    const statement = prepare(sql);
    statements.set(sql, statement);
    statement.catch(() => statements.delete(sql));
    return statement;
  }

  async function read(sql: string, bound: Bound): Promise<unknown[]> {
    await nextTurn();
    const statement = await prepareOnce(sql);
    const [[rows]] = await statement.all(...bound);
    return JSON.parse(`[${rows ?? ''}]`);
  }

  function all<Row>(sql: string, ...bound: Bound): Promise<Row[]> {
    const rows = last.then(() => read(sql, bound));
    last = rows.catch(() => {});
    return rows as Promise<Row[]>;
  }

  // Opens the file and its write-ahead log now, because other files may replace them later.
  all('select count(*) from sqlite_schema').catch(() => {});

  return {
    all,
    /** Closes the connection after all pending queries. */
    async close(): Promise<void> {
      await last;
      database.close();
    },
  };
}

/**
 * Wraps a query so that it returns all rows as one text. libsql reads only the first row in its thread, and the others in
 * the event loop. Also, handing over a single value costs more than a whole row of text.
 */
function asOneText(sql: string, columns: readonly string[]): string {
  // SQLite's JSON functions write 15 digits; `quote` writes as many as needed, but infinity as `Inf`, which isn't JSON.
  const values = columns.map(
    (column) => `case typeof(${column})
      when 'integer' then ${column}
      when 'real' then case ${column}
        when cast(${column} as integer) then cast(${column} as integer)
        when 9e999 then '9e999'
        when -9e999 then '-9e999'
        else quote(${column}) end
      else json_quote(${column}) end`,
  );
  return `with page (${columns}) as (${sql}) select group_concat('[' || ${values.join(" || ',' || ")} || ']') from page`;
}

/**
 * A row of the table `data`, with the values of some metrics, and at the end `raw`: the values that a correction has changed,
 * as posted, as JSON. `time` is in microseconds since 1970.
 */
export type Row = [
  id: number,
  sensor: number,
  time: number,
  ...values: (number | null)[],
  raw: string | null,
];

/** Converts a row to a reading. `fields` are the metrics of the row's values, in order. */
export function toReading(row: Row, fields: readonly MetricField[], sensor: string): Reading {
  const reading: Partial<Reading> & Pick<Reading, 'id' | 'co2' | 'voc'> = {
    id: row[0],
    co2: null,
    voc: null,
  };
  let column = 3;
  for (const field of fields) {
    const value = (row[column++] ?? null) as number | null;
    if (value !== null) reading[field] = value;
  }
  reading.created_at = formatReadingTime(row[2]);
  if (sensor) reading.sensor = sensor;
  const raw = row[column];
  if (typeof raw === 'string') reading.raw = JSON.parse(raw);
  return reading as Reading;
}
