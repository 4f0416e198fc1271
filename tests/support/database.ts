import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import type { Reading } from '../../app/readings/reading';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';

/** Creates a database file with `count` readings, `intervalMs` apart, the newest one `endMs` ago. */
export async function seedDatabase(
  path: string,
  count: number,
  { intervalMs = 15_000, endMs = 1000 }: { intervalMs?: number; endMs?: number } = {},
): Promise<void> {
  const newest = (Date.now() - endMs) / 1000;
  await fillDatabase(path, (database) =>
    database.exec(`
      with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${count - 1})
      insert into data (co2, voc, created_at)
      select 600 + i % 50, 200 + i % 20,
        strftime('%Y-%m-%dT%H:%M:%fZ', ${newest} - (${count - 1} - i) * ${intervalMs / 1000}, 'unixepoch')
      from numbers where i < ${count}`),
  );
}

/** Creates a database file with these readings. */
export async function storeReadings(path: string, readings: readonly Omit<Reading, 'id'>[]): Promise<void> {
  await fillDatabase(path, (database) => {
    const insert = database.prepare('insert into data (co2, voc, created_at) values (?, ?, ?)');
    database.exec('begin');
    for (const { co2, voc, created_at } of readings) insert.run(co2, voc, created_at);
    database.exec('commit');
  });
}

async function fillDatabase(path: string, fill: (database: Database.Database) => void): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await openSqliteStore(path).close();
  const database = new Database(path);
  fill(database);
  database.close();
}
