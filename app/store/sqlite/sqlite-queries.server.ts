import type Database from 'libsql';
import type { Reading, SensorSummary } from '../../readings/reading';
import { formatReadingTime } from '../../readings/time/reading-time';
import { type Row, toReading } from './sqlite-rows.server';
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

/** Rows per page. A query blocks the event loop, so a page has to be short. */
export const PAGE_ROWS = 1000;

/** Entries of an index that one query passes over. They cost a tenth of rows that are read. */
export const STEP_ROWS = 10_000;

/** Sensors per page. Each costs a few entries of an index. */
export const PAGE_SENSORS = 200;

/** SQL with the values of its parameters. */
type Condition = [sql: string, ...bound: number[]];

const ROW = 'id, sensor, created_at, co2, voc';
const NEWEST_FIRST = 'order by created_at desc, id desc';

/**
 * The reads of the store. Every method is synchronous, blocks for a page or a step at most, and throws libsql's errors.
 *
 * All queries use `all()`: `get()` leaves its statement unfinished, and SQLite then never checkpoints.
 */
export function sqliteQueries(
  database: Database.Database,
  sensors: Pick<ReturnType<typeof sqliteSensors>, 'nameOf'>,
) {
  const statements = new Map<string, Database.Statement>();
  const dataVersion = database.prepare('pragma data_version').pluck();
  const countAll = database.prepare('select count(*) from (select 1 from data limit ?)').pluck();
  const countSensor = database
    .prepare('select count(*) from (select 1 from data where sensor = ? limit ?)')
    .pluck();
  const [summaries, summary] = [`id > ? order by sensors.id limit ${PAGE_SENSORS}`, 'id = ?'].map(
    (selected) =>
      database
        .prepare(
          `select sensors.id, name, (select min(created_at) from data where sensor = sensors.id), data.*
        from sensors join data on data.id =
          (select id from data where sensor = sensors.id order by created_at desc limit 1)
        where sensors.${selected}`,
        )
        .raw(),
  ) as [Database.Statement, Database.Statement];

  function find<T>(columns: string, conditions: Condition[], tail: string, ...bound: number[]): T[] {
    const where = conditions.length > 0 ? ` where ${conditions.map(([sql]) => sql).join(' and ')}` : '';
    const sql = `select ${columns} from data${where} ${tail}`;
    const statement = statements.get(sql) ?? database.prepare(sql).raw();
    statements.set(sql, statement);
    return statement.all(...conditions.flatMap(([, ...values]) => values), ...bound) as T[];
  }

  const findReadings = (conditions: Condition[], tail: string, ...bound: number[]): Reading[] =>
    find<Row>(ROW, conditions, tail, ...bound).map((row) => toReading(row, sensors.nameOf(row[1])));

  const findIds = (conditions: Condition[], tail: string, ...bound: number[]): number[] =>
    find<[number]>('id', conditions, tail, ...bound).map(([id]) => id);

  return {
    /** Returns a number that changes when another connection, such as the sqlite3 shell, has changed the file. */
    dataVersion: () => (dataVersion.all() as number[])[0] ?? 0,

    count: (upTo: number, { sensor }: Selection = {}): number =>
      sensor === undefined
        ? ((countAll.all(upTo) as number[])[0] ?? 0)
        : ((countSensor.all(sensor, upTo) as number[])[0] ?? 0),

    /** Returns up to `PAGE_SENSORS` sensors that have readings, after the one with this key, in the order of keys. */
    sensorsAfter: (key: number): { key: number; summary: SensorSummary }[] =>
      (summaries.all(key) as SummaryRow[]).map((row) => ({ key: row[0], summary: toSummary(row) })),

    /** Returns a sensor; undefined if it has no readings. */
    sensor: (key: number): SensorSummary | undefined => (summary.all(key) as SummaryRow[]).map(toSummary)[0],

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
    olderThan(cursor: Cursor | undefined, rows: number, selection: Selection): Cursor | undefined {
      const before: Condition[] = cursor ? [['(created_at, id) < (?, ?)', cursor.time, cursor.id]] : [];
      const [row] = find<[number, number]>(
        'created_at, id',
        [...ofSensor(selection), ...before, ...inSpan(selection)],
        `${NEWEST_FIRST} limit 1 offset ?`,
        rows - 1,
      );
      return row && { time: row[0], id: row[1] };
    },

    /** Returns up to `PAGE_ROWS` readings in the order of time, those that follow the cursor, or the first ones. */
    page(cursor: Cursor | undefined, selection: Selection): Reading[] {
      const behind: Condition[] = cursor ? [['(created_at, id) > (?, ?)', cursor.time, cursor.id]] : [];
      return findReadings(
        [...ofSensor(selection), ...behind, ...inSpan(selection)],
        `order by created_at, id limit ${PAGE_ROWS}`,
      );
    },

    /** Returns the `rows`th id after this one, of whatever time; undefined if there are fewer. */
    idAfter: (id: number, rows: number, selection: Selection): number | undefined =>
      findIds([...ofSensor(selection), ['id > ?', id]], 'order by id limit 1 offset ?', rows - 1)[0],

    /** Returns the `rows`th id before this one, of whatever time; undefined if there are fewer after `after`. */
    idBefore: (id: number, rows: number, selection: Selection): number | undefined =>
      findIds(
        [...ofSensor(selection), ['id < ?', id], ['id > ?', selection.after ?? 0]],
        'order by id desc limit 1 offset ?',
        rows - 1,
      )[0],

    /** Returns the ids of the span between two ids, the highest `limit` of them in descending order. */
    idsBetween: (above: number, below: number, limit: number, selection: Selection): number[] =>
      findIds(
        [...ofSensor(selection), ['id > ?', above], ['id < ?', below], ...filterSpan(selection)],
        'order by id desc limit ?',
        limit,
      ),

    /** Returns up to `PAGE_ROWS` readings in the order of id, after one id and up to another. */
    pageById: (after: number, upTo: number | undefined, selection: Selection): Reading[] =>
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

/** A sensor's key, name and first time, and its newest row. */
type SummaryRow = [number, string, number, ...Row];

function toSummary([, name, first, ...row]: SummaryRow): SensorSummary {
  const newest = toReading(row, name);
  return { name, newest, first_heard: formatReadingTime(first), last_heard: newest.created_at };
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
