import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';

/** Creates a database file with `count` readings, `intervalMs` apart, the newest one `endMs` ago. */
export async function seedDatabase(
  path: string,
  count: number,
  { intervalMs = 15_000, endMs = 1000 }: { intervalMs?: number; endMs?: number } = {},
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await openSqliteStore(path).close();
  const database = new Database(path);
  const newest = Date.now() - endMs;
  const insert = database.prepare('insert into data (co2, voc, created_at) values (?, ?, ?)');
  database.exec('begin');
  for (let i = 0; i < count; i++) {
    const createdAt = new Date(newest - (count - 1 - i) * intervalMs).toISOString();
    insert.run(600 + (i % 50), 200 + (i % 20), createdAt);
  }
  database.exec('commit');
  database.close();
}
