import { at } from '../../../readings/at';
import type { Reading } from '../../../readings/reading';
import { DAY_US, MINUTE_MS, SECOND_US } from '../../../readings/time/durations';
import { storedMicros } from '../../../readings/time/reading-time';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import { type ReadRows, type Row, toReading } from './sqlite-reader.server';
import type { sqliteSensors } from './sqlite-sensors.server';

/**
 * The selection of a query. `sensor` is a key of the table `sensors`, and `from` and `to` are in microseconds since
 * 1970.
 */
export interface Selection {
  sensor?: number;
  /** The key of the only sensor; null if there are several or none. */
  only?: number | null;
  after?: number;
  from?: number;
  to?: number;
}

/** The position of a row in the order of time, which is in microseconds since 1970. */
export interface Cursor {
  time: number;
  id: number;
}

/**
 * Rows per page. The event loop parses and encodes a page in one turn, and each client that reads needs the memory of
 * two pages.
 */
const PAGE_ROWS = 500;

/** The most index entries or ids that one query skips. Skipping one costs a tenth of reading a row. */
const STEP_ROWS = 10_000;

/** The width of the first window for reading all sensors, in microseconds. */
const WINDOW_US = 5 * MINUTE_MS * 1000;

/** SQL with the values of its parameters. */
type Condition = [sql: string, ...bound: number[]];

const NEWEST_FIRST = 'order by created_at desc, id desc';
const ALL_TIME = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/**
 * Joins the sensors of a day with their readings, using the index by sensor. Usually few of all sensors have readings on
 * a day.
 */
const OF_DAY = 'sensor_days cross join data on data.sensor = sensor_days.sensor';

const SELECT_LAST = `
  select max((
    select max(created_at) from data where data.sensor = sensor_days.sensor and created_at >= ? and created_at < ?
  )) from sensor_days where day = ?`;

const SELECT_NAMES = 'select id, name from sensors where id in (select value from json_each(?))';

const dayStart = (time: number) => Math.floor(time / DAY_US) * DAY_US;

/** The queries for rows. Each reads at most a page or a step. */
export function sqliteQueries(
  readRows: ReadRows,
  metrics: Pick<SqliteMetrics, 'fields'>,
  sensors: Pick<ReturnType<typeof sqliteSensors>, 'knownName' | 'keep'>,
) {
  function find<Found>(columns: string, conditions: Condition[], tail: string, table = 'data') {
    const where = conditions.length > 0 ? ` where ${conditions.map(([sql]) => sql).join(' and ')}` : '';
    const values = conditions.flatMap(([, ...values]) => values);
    return readRows<Found>(`select ${columns} from ${table}${where} ${tail}`, ...values);
  }

  async function findReadings(conditions: Condition[], tail: string, table?: string): Promise<Reading[]> {
    const fields = metrics.fields();
    const rows = await find<Row>(`id, data.sensor, created_at, ${fields}, raw`, conditions, tail, table);
    const names = await namesOf(new Set(rows.map(([, sensor]) => sensor)));
    return rows.map((row) => toReading(row, fields, names.get(row[1]) ?? ''));
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

  async function number(sql: string, ...bound: number[]): Promise<number | null> {
    return (await readRows<[number | null]>(sql, ...bound))[0]?.[0] ?? null;
  }

  async function count(upTo: number, { sensor }: Selection): Promise<number> {
    const where = sensor === undefined ? '' : 'where sensor = ?';
    const bound = sensor === undefined ? [upTo] : [sensor, upTo];
    return (await number(`select count(*) from (select 1 from data ${where} limit ?)`, ...bound)) ?? 0;
  }

  /** Returns the beginning of the first or last day with readings between two times, or null. */
  async function dayWithReadings(which: 'min' | 'max', from: number, to: number): Promise<number | null> {
    const sql = `select ${which}(day) from sensor_days where day >= ? and day < ?`;
    const day = await number(sql, dayStart(from) / 1e6, Math.ceil(to / 1e6));
    return day === null ? null : day * 1e6;
  }

  return {
    count,

    dayWithReadings,

    /** Counts the readings of all sensors in a part of a day. */
    countInDay: async (from: number, to: number): Promise<number> =>
      (await find<[number]>('count(*)', inDay(from, to), '', OF_DAY))[0]?.[0] ?? 0,

    /** Returns the reading in a part of a day that precedes its `rows` newest ones; undefined if there are fewer. */
    async inDayBefore(rows: number, from: number, to: number): Promise<Cursor | undefined> {
      const tail = `${NEWEST_FIRST} limit 1 offset ${rows}`;
      const [row] = await find<[number, number]>('created_at, id', inDay(from, to), tail, OF_DAY);
      return row && { time: row[0], id: row[1] };
    },

    /**
     * Returns the time of the newest reading between two times, and the beginning of its day; null without a reading.
     */
    async lastTime(from: number, to: number): Promise<{ day: number; last: number } | null> {
      for (let end = to; ; ) {
        const day = end > from ? await dayWithReadings('max', from, end) : null;
        if (day === null) return null;
        const last = await number(SELECT_LAST, from, end, day / 1e6);
        if (last !== null) return { day, last };
        end = day;
      }
    },

    /** Returns the newest readings of all sensors in a part of a day, unsorted. */
    newestOfDay: (from: number, to: number, limit: number): Promise<Reading[]> =>
      findReadings(inDay(from, to), `${NEWEST_FIRST} limit ${limit}`, OF_DAY),

    /** Returns the first readings of all sensors after the cursor in a part of a day, at most `PAGE_ROWS`. */
    pageOfDay: (cursor: Cursor, to: number): Promise<Reading[]> =>
      findReadings(
        [...inDay(cursor.time, to), ['(created_at, id) > (?, ?)', cursor.time, cursor.id]],
        `order by created_at, id limit ${PAGE_ROWS}`,
        OF_DAY,
      ),

    /** Returns the newest readings of a sensor, unsorted. */
    newestOf: (sensor: number, limit: number, selection: Selection) =>
      findReadings([['sensor = ?', sensor], ...inSpan(selection)], `${NEWEST_FIRST} limit ${limit}`),

    /**
     * Returns the sensor's reading that is `rows` places before the cursor (or before the end, without a cursor);
     * undefined if there are fewer.
     */
    async olderThan(
      sensor: number,
      cursor: Cursor | undefined,
      rows: number,
      selection: Selection,
    ): Promise<Cursor | undefined> {
      const before: Condition[] = cursor ? [['(created_at, id) < (?, ?)', cursor.time, cursor.id]] : [];
      const [row] = await find<[number, number]>(
        'created_at, id',
        [['sensor = ?', sensor], ...before, ...inSpan(selection)],
        `${NEWEST_FIRST} limit 1 offset ${rows - 1}`,
      );
      return row && { time: row[0], id: row[1] };
    },

    /** Returns up to `PAGE_ROWS` readings of a sensor ordered by time: those after the cursor, or the first ones. */
    pageOf(sensor: number, cursor: Cursor | undefined, selection: Selection): Promise<Reading[]> {
      const behind: Condition[] = cursor ? [['(created_at, id) > (?, ?)', cursor.time, cursor.id]] : [];
      return findReadings(
        [['sensor = ?', sensor], ...behind, ...inSpan(selection)],
        `order by created_at, id limit ${PAGE_ROWS}`,
      );
    },

    /** Returns the highest id up to `upTo`, or null. */
    highestId: (upTo: number) => number('select max(id) from data where id <= ?', upTo),

    /** Returns the lowest id above `above`, or null. */
    lowestId: (above: number) => number('select min(id) from data where id > ?', above),

    /** Counts the selected readings between two ids. */
    countIds: async (above: number, upTo: number, selection: Selection): Promise<number> =>
      (await find<[number]>('count(*)', withIds(above, upTo, selection), ''))[0]?.[0] ?? 0,

    /** Returns the selected id between two ids that precedes the `rows` highest ones; undefined if there are fewer. */
    idBefore: async (
      rows: number,
      above: number,
      upTo: number,
      selection: Selection,
    ): Promise<number | undefined> => {
      const tail = `order by id desc limit 1 offset ${rows}`;
      return (await find<[number]>('id', withIds(above, upTo, selection), tail))[0]?.[0];
    },

    /** Returns the selected readings with the highest ids above `above`, unsorted. */
    newestIds: (above: number, limit: number, selection: Selection): Promise<Reading[]> =>
      findReadings(withIds(above, Number.MAX_SAFE_INTEGER, selection), `order by id desc limit ${limit}`),

    /** Returns up to `PAGE_ROWS` selected readings with ids above `above` and up to `upTo`, ordered by id. */
    pageById: (above: number, upTo: number, selection: Selection): Promise<Reading[]> =>
      findReadings(withIds(above, upTo, selection), `order by id limit ${PAGE_ROWS}`),
  };
}

const inDay = (from: number, to: number): Condition[] => [
  ['day = ?', dayStart(from) / 1e6],
  ['created_at >= ?', from],
  ['created_at < ?', to],
];

function inSpan({ from, to }: Selection, column = 'created_at'): Condition[] {
  const conditions: Condition[] = [];
  if (from !== undefined) conditions.push([`${column} >= ?`, from]);
  if (to !== undefined) conditions.push([`${column} < ?`, to]);
  return conditions;
}

/** Sensor and span are only filters here: the `+` keeps SQLite from using the index of time and sorting. */
const withIds = (above: number, upTo: number, selection: Selection): Condition[] => [
  ['id > ?', above],
  ['id <= ?', upTo],
  ...(selection.sensor === undefined ? [] : [['+sensor = ?', selection.sensor] as Condition]),
  ...inSpan(selection, '+created_at'),
];

type Queries = ReturnType<typeof sqliteQueries>;

/** A page, and the position of the next page; undefined after the last page. */
interface Page<Position> {
  page: Reading[];
  next: Position | undefined;
}

/** Yields pages of readings, oldest first, or ordered by id if the selection has `after`. */
export async function* readPages(
  queries: Queries,
  selection: Selection,
  limit: number | undefined,
): AsyncGenerator<Reading[]> {
  const { after, only = null, sensor = only } = selection;
  if (after !== undefined) {
    const start = limit === undefined ? after : await startOfNewestIds(queries, selection, after, limit);
    yield* pagesFrom(start, (above) => pageAfter(queries, selection, above));
    return;
  }
  if (sensor === null) {
    const start = limit === undefined ? undefined : await startOfNewestOfAll(queries, selection, limit);
    const first = { time: selection.from ?? ALL_TIME.from, id: Number.MIN_SAFE_INTEGER, width: WINDOW_US };
    yield* pagesFrom({ ...first, ...start }, (position) => pageOfAll(queries, selection, position));
    return;
  }
  const start = limit === undefined ? undefined : await startOfNewest(queries, sensor, selection, limit);
  yield* pagesFrom(start ?? null, (cursor) => pageOfSensor(queries, sensor, selection, cursor));
}

/** Yields pages from a position on. Reads each page while the previous one is sent. */
async function* pagesFrom<Position>(first: Position, read: (position: Position) => Promise<Page<Position>>) {
  for (let reading = read(first); ; ) {
    const { page, next } = await reading;
    if (next !== undefined) {
      reading = read(next);
      // Prevents an unhandled rejection if the page is never requested.
      reading.catch(() => {});
    }
    if (page.length > 0) yield page;
    if (next === undefined) return;
  }
}

const cursorOf = ({ created_at, id }: Reading): Cursor => ({ time: storedMicros(created_at), id });

async function pageOfSensor(
  queries: Queries,
  sensor: number,
  selection: Selection,
  cursor: Cursor | null,
): Promise<Page<Cursor | null>> {
  const page = await queries.pageOf(sensor, cursor ?? undefined, selection);
  return { page, next: page.length < PAGE_ROWS ? undefined : cursorOf(at(page, PAGE_ROWS - 1)) };
}

/** Returns the cursor before the newest `limit` readings of a sensor. Walks over the sensor's index in steps. */
async function startOfNewest(queries: Queries, sensor: number, selection: Selection, limit: number) {
  let cursor: Cursor | undefined;
  for (let left = limit + 1; left > 0; left -= STEP_ROWS) {
    const older = await queries.olderThan(sensor, cursor, Math.min(left, STEP_ROWS), selection);
    if (!older) return undefined;
    cursor = older;
  }
  return cursor;
}

/**
 * A cursor, and the width in microseconds of the window after it, for reading all sensors. A window lies within a UTC
 * day.
 */
type Window = Cursor & { width: number };

/** Returns a page of all sensors. Sorts windows of about a page each, because no index orders their readings by time. */
async function pageOfAll(
  queries: Queries,
  { to = ALL_TIME.to }: Selection,
  { time, id, width }: Window,
): Promise<Page<Window>> {
  const day = time < to ? await queries.dayWithReadings('min', time, to) : null;
  if (day === null) return { page: [], next: undefined };
  const start = day > time ? { time: day, id: Number.MIN_SAFE_INTEGER } : { time, id };
  const end = Math.min(start.time + width, day + DAY_US, to);
  const page = await queries.pageOfDay(start, end);
  if (page.length === PAGE_ROWS) {
    const last = cursorOf(at(page, PAGE_ROWS - 1));
    return { page, next: { ...last, width: Math.max(1, last.time - start.time) } };
  }
  // Aims at a little less than a page, because rows that don't fit into the page are read and sorted again.
  const growth = Math.min(4, (0.9 * PAGE_ROWS) / Math.max(1, page.length));
  const next = { time: end, id: Number.MIN_SAFE_INTEGER, width: Math.min(Math.ceil(growth * width), DAY_US) };
  return { page, next };
}

/** Returns the cursor before the newest `limit` readings of all sensors; undefined if there are no others. */
async function startOfNewestOfAll(
  queries: Queries,
  { from = ALL_TIME.from, to = ALL_TIME.to }: Selection,
  limit: number,
): Promise<Cursor | undefined> {
  let left = limit;
  let end = to;
  for (let width = WINDOW_US; ; ) {
    const newest = await queries.lastTime(from, end);
    if (newest === null) return undefined;
    end = newest.last + 1;
    const start = Math.max(end - width, newest.day, from);
    const rows = await queries.countInDay(start, end);
    if (rows > left && rows > STEP_ROWS && end - start > 1) width = Math.ceil((end - start) / 2);
    else if (rows > left) return queries.inDayBefore(left, start, end);
    else {
      left -= rows;
      end = start;
      width = Math.min(4 * width, DAY_US);
    }
  }
}

/** Returns the newest readings of all sensors. Reads them in ever wider windows. */
async function newestOfAll(
  queries: Queries,
  { from = ALL_TIME.from, to = ALL_TIME.to }: Selection,
  limit: number,
): Promise<Reading[]> {
  const found: Reading[] = [];
  let end = to;
  for (let width = limit * SECOND_US; found.length < limit; width *= 4) {
    const newest = await queries.lastTime(from, end);
    if (newest === null) break;
    const { day, last } = newest;
    end = Math.max(last + 1 - width, day, from);
    const [start, left] = [end, limit - found.length];
    found.push(...(await queries.newestOfDay(start, last + 1, left)));
  }
  return found;
}

/** Returns the selected readings among the next ids. No index orders a sensor's readings by id, so a page may be short. */
async function pageAfter(queries: Queries, selection: Selection, above: number): Promise<Page<number>> {
  const upTo = above + STEP_ROWS;
  const page = await queries.pageById(above, upTo, selection);
  if (page.length === PAGE_ROWS) return { page, next: at(page, PAGE_ROWS - 1).id };
  const following = await queries.lowestId(upTo);
  return { page, next: following === null ? undefined : following - 1 };
}

/** Returns the id before the `limit` highest selected ids. Walks over all ids in steps. */
async function startOfNewestIds(
  queries: Queries,
  selection: Selection,
  after: number,
  limit: number,
): Promise<number> {
  let left = limit;
  for (let upTo = await queries.highestId(Number.MAX_SAFE_INTEGER); upTo !== null; ) {
    const highest = upTo;
    if (highest <= after) break;
    const above = Math.max(after, highest - STEP_ROWS);
    const rows = await queries.countIds(above, highest, selection);
    if (rows > left) return (await queries.idBefore(left, above, highest, selection)) ?? after;
    left -= rows;
    upTo = await queries.highestId(above);
  }
  return after;
}

/** Returns the newest readings, unsorted: the latest ones or, with `after`, the ones with the highest ids. */
export async function newestReadings(
  queries: Queries,
  selection: Selection,
  limit: number,
): Promise<Reading[]> {
  const { after, only = null, sensor = only } = selection;
  if (after === undefined) {
    return sensor === null
      ? newestOfAll(queries, selection, limit)
      : queries.newestOf(sensor, limit, selection);
  }
  const highest = sensor === only ? after : ((await queries.highestId(Number.MAX_SAFE_INTEGER)) ?? after);
  if (highest - after <= STEP_ROWS) return queries.newestIds(after, limit, selection);
  const readings: Reading[] = [];
  for await (const page of readPages(queries, selection, limit)) readings.push(...page);
  // More readings may have been stored meanwhile.
  return readings.slice(-limit);
}
