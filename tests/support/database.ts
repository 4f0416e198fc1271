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
  const newest = (Date.now() - endMs) / 1000;
  database.exec(`
    with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${count - 1})
    insert into data (co2, voc, created_at)
    select 600 + i % 50, 200 + i % 20,
      strftime('%Y-%m-%dT%H:%M:%fZ', ${newest} - (${count - 1} - i) * ${intervalMs / 1000}, 'unixepoch')
    from numbers where i < ${count}`);
  database.close();
}
