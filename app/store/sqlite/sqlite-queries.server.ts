import type Database from 'libsql';
import type { Reading, ReadingInput } from '../../readings/reading';
import type { ReadingQuery } from '../reading-store';

type Key = Pick<Reading, 'created_at' | 'id'>;
type Row = [id: number, co2: number, voc: number, createdAt: string];

/** Rows read in one go: short enough that other requests are not kept waiting. */
export const PAGE = 1000;

/**
 * The SQL of the store. Every method is synchronous and throws libsql's errors.
 *
 * `all()` throughout: `get()` leaves its statement unfinished, and SQLite then never checkpoints.
 */
export function sqliteQueries(database: Database.Database) {
  const rows = (sql: string) => {
    const statement = database.prepare(sql).raw();
    return (...bound: (number | string)[]) => (statement.all(...bound) as Row[]).map(toReading);
  };
  const select = 'select id, co2, voc, created_at from data';
  const insert = database.prepare('insert into data (co2, voc, created_at) values (?, ?, ?)');
  const newest = rows(`${select} order by created_at desc, id desc limit ?`);
  const newestAfter = rows(`${select} where id > ? order by id desc limit ?`);
  const pageInTime = rows(`${select} where (created_at, id) > (?, ?) order by created_at, id limit ${PAGE}`);
  const pageById = rows(`${select} where id > ? order by id limit ${PAGE}`);
  const skipInTime = rows(`${select} order by created_at desc, id desc limit 1 offset ?`);
  const skipById = rows(`${select} where id > ? order by id desc limit 1 offset ?`);
  const count = database.prepare('select count(*) from (select 1 from data limit ?)').raw();

  const dataVersion = database.prepare('pragma data_version').raw();

  return {
    /** Stores all or none, in one transaction. */
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

    /** In no promised order. With `after` by id, because a walk in time could pass every row there is. */
    newest: (limit: number, after?: number) =>
      after === undefined ? newest(limit) : newestAfter(after, limit),

    count: (upTo: number) => (count.all(upTo) as [number][])[0]?.[0] ?? 0,

    /** Changes when another connection, such as the sqlite3 shell, has changed the file. */
    foreignChanges: () => (dataVersion.all() as [number][])[0]?.[0] ?? 0,

    /** The row before the first one to read, or the start of all. Passes `limit` entries of an index. */
    start({ limit, after }: ReadingQuery): Key {
      const start = { created_at: '', id: after ?? 0 };
      if (limit === undefined) return start;
      return (after === undefined ? skipInTime(limit) : skipById(after, limit))[0] ?? start;
    },

    /** The rows that follow `last`, at most `PAGE`: in order of time, or of id where `after` is asked for. */
    page: (last: Key, { after }: ReadingQuery) =>
      after === undefined ? pageInTime(last.created_at, last.id) : pageById(last.id),
  };
}

function toReading([id, co2, voc, created_at]: Row): Reading {
  return { id, co2, voc, created_at };
}
