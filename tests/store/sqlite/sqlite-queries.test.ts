import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { type Selection, sqliteQueries } from '../../../app/store/sqlite/sqlite-queries.server';
import { sqliteSensors } from '../../../app/store/sqlite/sqlite-sensors.server';
import { seedDatabase } from '../../support/database';
import { temporaryFolder } from '../../support/server';

const TIMES: Selection[] = [{}, { from: 1 }, { to: 1 }, { from: 1, to: 2 }];

/** Returns SQLite's plan for every read of the store, on a file that the store has made. */
async function queryPlans(): Promise<{ sql: string; plan: string }[]> {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const database = new Database(path);
  const prepared: string[] = [];
  const queries = sqliteQueries(
    {
      prepare(sql: string) {
        prepared.push(sql);
        return database.prepare(sql);
      },
    } as Database.Database,
    sqliteSensors(database),
  );
  for (const sensor of [undefined, 1]) {
    for (const times of TIMES) {
      const selection = { ...times, sensor };
      queries.newest(5, selection);
      for (const cursor of [undefined, { time: 1, id: 1 }]) {
        queries.page(cursor, selection);
        queries.olderThan(cursor, 5, selection);
      }
      for (const upTo of [undefined, 9]) queries.pageById(1, upTo, { ...selection, after: 1 });
      queries.idsBetween(1, 9, 5, { ...selection, after: 1 });
    }
    queries.newest(5, { sensor, after: 1 });
    queries.idAfter(1, 5, { sensor });
    queries.idBefore(9, 5, { sensor, after: 1 });
  }
  const plans = [...new Set(prepared)]
    .filter((sql) => sql.startsWith('select'))
    .map((sql) => {
      const steps = database
        .prepare(`explain query plan ${sql}`)
        .all(...Array(sql.split('?').length - 1).fill(1));
      return { sql, plan: steps.map((step) => (step as { detail: string }).detail).join('\n') };
    });
  database.close();
  return plans;
}

test('every query uses an index and sorts nothing', async () => {
  const plans = await queryPlans();
  expect(plans.length).toBeGreaterThan(40);
  for (const { sql, plan } of plans) expect(plan, sql).not.toMatch(/TEMP B-TREE/);
});

test('every query searches for its first row, unless it begins at an end of the index', async () => {
  for (const { sql, plan } of await queryPlans()) {
    const searches = sql.includes('sensor = ?')
      ? sql.includes('id > ?') || sql.includes('id < ?')
        ? /USING (COVERING )?INDEX data_sensor \(sensor=\? AND rowid/
        : sql.includes('created_at')
          ? /^SEARCH data USING (COVERING )?INDEX data_reading \(sensor=\?/
          : /SEARCH data USING COVERING INDEX data_sensor \(sensor=\?\)/
      : sql.includes('id > ?') || sql.includes('id < ?') || sql.includes('from sensors')
        ? /INTEGER PRIMARY KEY \(rowid/
        : sql.includes('order by created_at')
          ? /data USING (COVERING )?INDEX data_time/
          : /./;
    expect(plan, sql).toMatch(searches);
    if (/where (\(created_at|created_at|sensor|id)/.test(sql)) expect(plan, sql).not.toMatch(/SCAN data/);
  }
});

test('counts no further than asked', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const database = new Database(path);
  const { count } = sqliteQueries(database, sqliteSensors(database));
  expect([40, 99, 100, 5760].map((upTo) => count(upTo))).toEqual([40, 99, 100, 100]);
  expect([40, 99, 100, 5760].map((upTo) => count(upTo, { sensor: 1 }))).toEqual([40, 99, 100, 100]);
  expect(count(10, { sensor: 2 })).toBe(0);
  database.close();
});
