import { createHash } from 'node:crypto';
import Database from 'libsql';

/** The schema of version 0, literally. */
export const SCHEMA_0 = [
  `CREATE TABLE data (
  id integer primary key autoincrement,
  co2 real not null,
  voc real not null,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
)`,
  'CREATE INDEX data_newest on data (created_at desc, id desc)',
];

/** Creates a database of version 0 with `count` readings, 15 s apart, of which every tenth has the time of the one before. */
export function seedVersion0(path: string, count: number): void {
  const database = new Database(path);
  database.exec(`pragma journal_mode = wal; ${SCHEMA_0.join(';')};
    with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${count - 1})
    insert into data (co2, voc, created_at)
    select i, i % 600, strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + (i - (i % 10 = 9)) * 15, 'unixepoch') from numbers`);
  database.close();
}

/** Returns a hash of the version of a database, its schema and its readings. */
export function hashOf(path: string): string {
  const database = new Database(path, { readonly: true });
  const [version] = database.pragma('user_version') as unknown[];
  const schema = database.prepare('select sql from sqlite_master').pluck().all();
  const rows = database.prepare('select * from data').raw().all();
  database.close();
  return createHash('sha256')
    .update(JSON.stringify([version, schema, rows]))
    .digest('hex');
}
