import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import type { Reading } from '../../../app/readings/reading';
import { parseReadingTime } from '../../../app/readings/time/reading-time';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';

/** Creates a database file with `count` readings, `intervalMs` apart, the newest one `endMs` ago. */
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
    const insert = database.prepare(
      'insert into data (sensor, created_at, co2, voc) select id, ?, ?, ? from sensors where name = ?',
    );
    database.exec('begin');
    for (const { co2, voc, created_at, sensor = '' } of readings) {
      addSensor.run(sensor);
      insert.run(parseReadingTime(created_at) as number, co2, voc, sensor);
    }
    database.exec('commit');
  });
}

/** Runs SQL on a file, as another program would while a server uses it: it waits while that server writes. */
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
