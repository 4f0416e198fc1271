import type { Reading } from '../../../readings/reading';
import { parseReadingTime } from '../../../readings/time/reading-time';
import { type ReadRows, type Row, toReading } from './sqlite-reader.server';
import type { sqliteSensors } from './sqlite-sensors.server';

/** The selection of a query: `sensor` is a key of the table `sensors`, `from` and `to` are in microseconds since 1970. */
export interface Selection {
  sensor?: number;
  after?: number;
  from?: number;
  to?: number;
}

/** The position of a row in the order of time. */
export interface Cursor {
  time: number;
  id: number;
}

/** Rows per page. The event loop parses a page and encodes it in one turn, and each client that reads holds two. */
export const PAGE_ROWS = 500;

/** Entries of an index that one query passes over. They cost a tenth of rows that are read. */
export const STEP_ROWS = 10_000;

/** SQL with the values of its parameters. */
type Condition = [sql: string, ...bound: number[]];

const ROW = 'id, sensor, created_at, co2, voc';
const NEWEST_FIRST = 'order by created_at desc, id desc';

const SELECT_NAMES = 'select id, name from sensors where id in (select value from json_each(?))';

/** The reads of rows. Each reads a page or a step at most. */
export function sqliteQueries(
  readRows: ReadRows,
  sensors: Pick<ReturnType<typeof sqliteSensors>, 'knownName' | 'keep'>,
) {
  function find<Found>(columns: string, conditions: Condition[], tail: string, ...bound: number[]) {
    const where = conditions.length > 0 ? ` where ${conditions.map(([sql]) => sql).join(' and ')}` : '';
    const values = conditions.flatMap(([, ...values]) => values);
    return readRows<Found>(`select ${columns} from data${where} ${tail}`, ...values, ...bound);
  }

  async function findReadings(conditions: Condition[], tail: string, ...bound: number[]): Promise<Reading[]> {
    const rows = await find<Row>(ROW, conditions, tail, ...bound);
    const names = await namesOf(new Set(rows.map(([, sensor]) => sensor)));
    return rows.map((row) => toReading(row, names.get(row[1]) ?? ''));
  }

  async function namesOf(keys: Iterable<number>): Promise<Map<number, string>> {
    const names = new Map<number, string>();
    const unknown: number[] = [];
    for (const key of keys) {
      const name = sensors.knownName(key);
      if (name === undefined) unknown.push(key);
      else names.set(key, name);
    }
    if (unknown.length === 0) return names;
    for (const [key, name] of await readRows<[number, string]>(SELECT_NAMES, JSON.stringify(unknown))) {
      names.set(key, name);
      sensors.keep(name, key);
    }
    return names;
  }

  async function findIds(conditions: Condition[], tail: string, ...bound: number[]): Promise<number[]> {
    const rows = await find<[id: number]>('id', conditions, tail, ...bound);
    return rows.map(([id]) => id);
  }

  return {
    async count(upTo: number, { sensor }: Selection = {}): Promise<number> {
      const where = sensor === undefined ? '' : 'where sensor = ?';
      const bound = sensor === undefined ? [upTo] : [sensor, upTo];
      const counted = `select count(*) from (select 1 from data ${where} limit ?)`;
      return (await readRows<[rows: number]>(counted, ...bound))[0]?.[0] ?? 0;
    },

    /** Returns the newest readings, unsorted: with `after` those with the highest ids, otherwise the last in time. */
    newest: (limit: number, selection: Selection) =>
      selection.after === undefined
        ? findReadings([...ofSensor(selection), ...inSpan(selection)], `${NEWEST_FIRST} limit ?`, limit)
        : findReadings(
            [...ofSensor(selection), ['id > ?', selection.after]],
            'order by id desc limit ?',
            limit,
          ),

    /** Returns the reading that is `rows` older than the cursor, or than the end; undefined beyond the oldest. */
    async olderThan(
      cursor: Cursor | undefined,
      rows: number,
      selection: Selection,
    ): Promise<Cursor | undefined> {
      const before: Condition[] = cursor ? [['(created_at, id) < (?, ?)', cursor.time, cursor.id]] : [];
      const [row] = await find<[number, number]>(
        'created_at, id',
        [...ofSensor(selection), ...before, ...inSpan(selection)],
        `${NEWEST_FIRST} limit 1 offset ?`,
        rows - 1,
      );
      return row && { time: row[0], id: row[1] };
    },

    /** Returns up to `PAGE_ROWS` readings in the order of time, those that follow the cursor, or the first ones. */
    page(cursor: Cursor | undefined, selection: Selection): Promise<Reading[]> {
      const behind: Condition[] = cursor ? [['(created_at, id) > (?, ?)', cursor.time, cursor.id]] : [];
      return findReadings(
        [...ofSensor(selection), ...behind, ...inSpan(selection)],
        `order by created_at, id limit ${PAGE_ROWS}`,
      );
    },

    /** Returns the `rows`th id after this one, of whatever time; undefined if there are fewer. */
    idAfter: async (id: number, rows: number, selection: Selection): Promise<number | undefined> =>
      (await findIds([...ofSensor(selection), ['id > ?', id]], 'order by id limit 1 offset ?', rows - 1))[0],

    /** Returns the `rows`th id before this one, of whatever time; undefined if there are fewer after `after`. */
    idBefore: async (id: number, rows: number, selection: Selection): Promise<number | undefined> =>
      (
        await findIds(
          [...ofSensor(selection), ['id < ?', id], ['id > ?', selection.after ?? 0]],
          'order by id desc limit 1 offset ?',
          rows - 1,
        )
      )[0],

    /** Returns the ids of the span between two ids, the highest `limit` of them in descending order. */
    idsBetween: (above: number, below: number, limit: number, selection: Selection): Promise<number[]> =>
      findIds(
        [...ofSensor(selection), ['id > ?', above], ['id < ?', below], ...filterSpan(selection)],
        'order by id desc limit ?',
        limit,
      ),

    /** Returns up to `PAGE_ROWS` readings in the order of id, after one id and up to another. */
    pageById: (after: number, upTo: number | undefined, selection: Selection): Promise<Reading[]> =>
      findReadings(
        [
          ...ofSensor(selection),
          ['id > ?', after],
          ...(upTo === undefined ? [] : [['id <= ?', upTo] as Condition]),
          ...filterSpan(selection),
        ],
        `order by id limit ${PAGE_ROWS}`,
      ),
  };
}

const ofSensor = ({ sensor }: Selection): Condition[] =>
  sensor === undefined ? [] : [['sensor = ?', sensor]];

function inSpan({ from, to }: Selection, column = 'created_at'): Condition[] {
  const conditions: Condition[] = [];
  if (from !== undefined) conditions.push([`${column} >= ?`, from]);
  if (to !== undefined) conditions.push([`${column} < ?`, to]);
  return conditions;
}

/** The span as a filter: with `+`, SQLite can't choose an index of time, and then sort. */
const filterSpan = (selection: Selection) => inSpan(selection, '+created_at');

type Queries = ReturnType<typeof sqliteQueries>;

/** Runs a query of the store. */
type Run = <T>(query: () => Promise<T>) => Promise<T>;

/** Yields pages of readings, oldest first, or in the order of id if the selection has `after`. */
export async function* readPages(
  queries: Queries,
  selection: Selection,
  limit: number | undefined,
  run: Run,
): AsyncGenerator<Reading[]> {
  if (selection.after === undefined) yield* readByTime(queries, selection, limit, run);
  else yield* readById(queries, { ...selection, after: selection.after }, limit, run);
}

async function* readByTime(
  queries: Queries,
  selection: Selection,
  limit: number | undefined,
  run: Run,
): AsyncGenerator<Reading[]> {
  const cursor = limit === undefined ? undefined : await startOfNewest(queries, selection, limit, run);
  const readAfter = (cursor?: Cursor) => started(run(() => queries.page(cursor, selection)));
  for (let next = readAfter(cursor); ; ) {
    const page = await next;
    const last = page.at(-1);
    const isLast = !last || page.length < PAGE_ROWS;
    if (!isLast) next = readAfter({ time: parseReadingTime(last.created_at) as number, id: last.id });
    yield page;
    if (isLast) return;
  }
}

/** A page that is read while the one before it is sent. Nobody may ever ask for it, so its failure is not unhandled. */
function started<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {});
  return page;
}

/** Returns the cursor before the newest `limit` readings: walks the entries of an index, a step at a time. */
async function startOfNewest(queries: Queries, selection: Selection, limit: number, run: Run) {
  let cursor: Cursor | undefined;
  for (let left = limit + 1; left > 0; left -= STEP_ROWS) {
    const older = await run(() => queries.olderThan(cursor, Math.min(left, STEP_ROWS), selection));
    if (!older) return undefined;
    cursor = older;
  }
  return cursor;
}

type SelectionById = Selection & { after: number };

const hasSpan = ({ from, to }: Selection) => from !== undefined || to !== undefined;

/** No index has the order of id within a span of time: a page is what the span has of the next ids, and may be short. */
async function* readById(queries: Queries, selection: SelectionById, limit: number | undefined, run: Run) {
  const findStart = hasSpan(selection) ? idBeforeNewestInSpan : idBeforeNewest;
  const readAfter = (after: number) => started(run(() => pageAfter(queries, selection, after)));
  const after = limit === undefined ? selection.after : await findStart(queries, selection, limit, run);
  for (let next = readAfter(after); ; ) {
    const { page, upTo } = await next;
    if (upTo !== undefined) next = readAfter(upTo);
    if (page.length > 0) yield page;
    if (upTo === undefined) return;
  }
}

/** Returns a page, and the id that the next one follows; undefined after the last one. */
async function pageAfter(queries: Queries, selection: SelectionById, after: number) {
  if (hasSpan(selection)) {
    const upTo = await queries.idAfter(after, PAGE_ROWS, selection);
    return { page: await queries.pageById(after, upTo, selection), upTo };
  }
  const page = await queries.pageById(after, undefined, selection);
  return { page, upTo: page.length < PAGE_ROWS ? undefined : page.at(-1)?.id };
}

/** Returns the id before the newest `limit` readings in the order of id. */
async function idBeforeNewest(queries: Queries, selection: SelectionById, limit: number, run: Run) {
  let below = Number.MAX_SAFE_INTEGER;
  for (let left = limit; left > 0; left -= STEP_ROWS) {
    const start = await run(() => queries.idBefore(below, Math.min(left, STEP_ROWS), selection));
    if (start === undefined) return selection.after;
    below = start;
  }
  return below - 1;
}

async function idBeforeNewestInSpan(queries: Queries, selection: SelectionById, limit: number, run: Run) {
  let below = Number.MAX_SAFE_INTEGER;
  for (let left = limit; ; ) {
    const { start, ids } = await run(async () => {
      const start = await queries.idBefore(below, PAGE_ROWS, selection);
      const above = start === undefined ? selection.after : start - 1;
      return { start, ids: await queries.idsBetween(above, below, left, selection) };
    });
    left -= ids.length;
    if (left === 0) return (ids.at(-1) as number) - 1;
    if (start === undefined) return selection.after;
    below = start;
  }
}
