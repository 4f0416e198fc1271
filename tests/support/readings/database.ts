import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { measuredMetrics } from '../../../app/readings/metric';
import type { Reading } from '../../../app/readings/reading';
import { parseReadingTime } from '../../../app/readings/time/reading-time';
import { addMetrics, fieldsOf } from '../../../app/store/sqlite/schema/sqlite-roll-up-schema.server.js';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';

/** Creates a database file with `count` readings, one every `intervalMs`, the newest one `endMs` ago. */
export async function seedDatabase(
  path: string,
  count: number,
  { intervalMs = 15_000, endMs = 1000 }: { intervalMs?: number; endMs?: number } = {},
): Promise<void> {
  const newest = (Date.now() - endMs) * 1000;
  await fillDatabase(path, (database) =>
    database.exec(`
      insert or ignore into sensors (id, name) values (1, '');
      with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${count - 1})
      insert into data (sensor, co2, voc, created_at)
      select 1, 600 + i % 50, 200 + i % 20, ${newest} - (${count - 1} - i) * ${intervalMs * 1000}
      from numbers where i < ${count}`),
  );
}

/** Creates a database file with these readings. */
export async function storeReadings(path: string, readings: readonly Omit<Reading, 'id'>[]): Promise<void> {
  await fillDatabase(path, (database) => {
    const addSensor = database.prepare('insert or ignore into sensors (name) values (?)');
    const fields = measuredMetrics(readings).map(({ field }) => field);
    const known = fieldsOf(database);
    const missing = fields.filter((field) => !known.includes(field));
    if (missing.length > 0) addMetrics(database, missing);
    const insert = database.prepare(
      `insert into data (${['sensor', 'created_at', ...fields]}) select id, ?${', ?'.repeat(fields.length)} from sensors where name = ?`,
    );
    database.exec('begin');
    for (const { created_at, sensor = '', ...values } of readings) {
      addSensor.run(sensor);
      insert.run(
        parseReadingTime(created_at) as number,
        ...fields.map((field) => values[field] ?? null),
        sensor,
      );
    }
    database.exec('commit');
  });
}

/** Runs SQL on a file, as another program would while a server uses it. Waits while that server writes. */
export function runSql(path: string, sql: string): void {
  const database = new Database(path);
  database.pragma('busy_timeout = 30000');
  database.exec(sql);
  database.close();
}

async function fillDatabase(path: string, fill: (database: Database.Database) => void): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await openSqliteStore(path).close();
  const database = new Database(path);
  fill(database);
  database.close();
}

/** The literal schema of version 0. */
export const SCHEMA_0 = [
  `CREATE TABLE data (
  id integer primary key autoincrement,
  co2 real not null,
  voc real not null,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
)`,
  'CREATE INDEX data_newest on data (created_at desc, id desc)',
];

/** Creates a database of version 0 with `count` readings, 15 s apart. Every tenth has the time of the previous one. */
export function seedVersion0(path: string, count: number): void {
  const database = new Database(path);
  database.exec(`pragma journal_mode = wal; ${SCHEMA_0.join(';')};
    with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${count - 1})
    insert into data (co2, voc, created_at)
    select i, i % 600, strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + (i - (i % 10 = 9)) * 15, 'unixepoch') from numbers`);
  database.close();
}

/** The literal schema of version 1. */
const SCHEMA_1 = `
create table sensors (
  id integer primary key,
  name text not null unique
);
create table data (
  id integer primary key autoincrement,
  sensor integer not null references sensors,
  created_at integer not null,
  co2 real,
  voc real,
  check (co2 is not null or voc is not null)
);
create unique index data_reading on data (sensor, created_at);
create index data_time on data (created_at);
create index data_sensor on data (sensor);
create view readings as
select data.id, sensors.name as sensor,
  strftime('%Y-%m-%dT%H:%M:%S', created_at / 1000000, 'unixepoch') || case created_at % 1000
    when 0 then printf('.%03dZ', created_at / 1000 % 1000)
    else printf('.%06dZ', created_at % 1000000)
  end as created_at, co2, voc
from data join sensors on sensors.id = sensor;
pragma user_version = 1;`;

/** Creates a database of version 1 with these readings, and returns them with their ids. */
export function createVersion1(path: string, readings: readonly Omit<Reading, 'id'>[]): Reading[] {
  const database = new Database(path);
  database.exec(`pragma journal_mode = wal; ${SCHEMA_1} begin`);
  const addSensor = database.prepare('insert or ignore into sensors (name) values (?)');
  const insert = database.prepare(
    'insert into data (sensor, created_at, co2, voc) select id, ?, ?, ? from sensors where name = ? on conflict do nothing',
  );
  const stored = readings.flatMap((reading): Reading[] => {
    const { sensor = '', created_at, co2, voc } = reading;
    addSensor.run(sensor);
    const { changes, lastInsertRowid } = insert.run(parseReadingTime(created_at) as number, co2, voc, sensor);
    return changes === 0 ? [] : [{ ...reading, id: Number(lastInsertRowid) }];
  });
  database.exec('commit');
  database.close();
  return stored;
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
