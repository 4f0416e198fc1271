import type Database from 'libsql';
import type { Reading, ReadingInput } from '../../readings/reading';
import type { ReadingQuery } from '../reading-store';

/** The position of a row in the order of time and of id. */
export type Cursor = Pick<Reading, 'created_at' | 'id'>;
type Row = [id: number, co2: number, voc: number, createdAt: string];

/** Rows per page. A query blocks the event loop, so a page has to be short. */
export const PAGE_ROWS = 1000;

/** Entries of an index that one query passes over. They cost a tenth of rows that are read. */
export const STEP_ROWS = 10_000;

/**
 * Prepares the SQL of the store. Every method is synchronous and throws libsql's errors.
 *
 * All queries use `all()`: `get()` leaves its statement unfinished, and SQLite then never checkpoints.
 */
export function sqliteQueries(database: Database.Database) {
  const query = (sql: string) => {
    const statement = database.prepare(sql).raw();
    return (...bound: (number | string)[]) => (statement.all(...bound) as Row[]).map(toReading);
  };
  const select = 'select id, co2, voc, created_at from data';
  const insert = database.prepare('insert into data (co2, voc, created_at) values (?, ?, ?)');
  const newest = query(`${select} order by created_at desc, id desc limit ?`);
  const newestAfter = query(`${select} where id > ? order by id desc limit ?`);
  const pageByTime = query(
    `${select} where (created_at, id) > (?, ?) order by created_at, id limit ${PAGE_ROWS}`,
  );
  const pageById = query(`${select} where id > ? order by id limit ${PAGE_ROWS}`);
  const nthOlder = query(
    `${select} where (created_at, id) < (?, ?) order by created_at desc, id desc limit 1 offset ?`,
  );
  const nthOlderAfter = query(`${select} where id > ? and id < ? order by id desc limit 1 offset ?`);
  const count = database.prepare('select count(*) from (select 1 from data limit ?)').raw();
  const dataVersion = database.prepare('pragma data_version').raw();

  return {
    /** Stores all readings or none, in one transaction. */
    insertAll(inputs: readonly ReadingInput[]): Reading[] {
      database.exec('begin immediate');
      try {
        const createdAt = new Date().toISOString();
        const stored = inputs.map(({ co2, voc }) => {
          const { lastInsertRowid } = insert.run(co2, voc, createdAt);
          return { id: Number(lastInsertRowid), co2, voc, created_at: createdAt };
        });
        database.exec('commit');
        return stored;
      } catch (error) {
        if (database.inTransaction) database.exec('rollback');
        throw error;
      }
    },

    /**
     * Returns the newest readings, unsorted. With `after` the newest are those with the highest ids: in the order
     * of time, the scan could pass every row.
     */
    newest: (limit: number, after?: number) =>
      after === undefined ? newest(limit) : newestAfter(after, limit),

    count: (upTo: number) => (count.all(upTo) as [number][])[0]?.[0] ?? 0,

    /** Returns a number that changes when another connection, such as the sqlite3 shell, has changed the file. */
    dataVersion: () => (dataVersion.all() as [number][])[0]?.[0] ?? 0,

    /** Returns the row that is `rows` older than the cursor, in the order of `page`; undefined beyond the oldest. */
    olderThan: ({ created_at, id }: Cursor, rows: number, after?: number): Cursor | undefined =>
      (after === undefined ? nthOlder(created_at, id, rows - 1) : nthOlderAfter(after, id, rows - 1))[0],

    /** Returns up to `PAGE_ROWS` rows that follow the cursor, in the order of time, or of id if `after` is given. */
    page: (cursor: Cursor, { after }: ReadingQuery) =>
      after === undefined ? pageByTime(cursor.created_at, cursor.id) : pageById(cursor.id),
  };
}

function toReading([id, co2, voc, created_at]: Row): Reading {
  return { id, co2, voc, created_at };
}
