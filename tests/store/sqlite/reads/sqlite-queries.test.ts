import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { type Selection, sqliteQueries } from '../../../../app/store/sqlite/reads/sqlite-queries.server';
import { sqliteReader } from '../../../../app/store/sqlite/reads/sqlite-reader.server';
import {
  SUMMARIES_AFTER,
  SUMMARY,
  SUMMARY_BY_NAME,
} from '../../../../app/store/sqlite/reads/sqlite-sensors.server';
import { seedDatabase } from '../../../support/readings/database';
import { temporaryFolder } from '../../../support/server/server';

const NO_NAMES = { knownName: () => undefined, keep: () => {} };

const TIMES: Selection[] = [{}, { from: 1 }, { to: 1 }, { from: 1, to: 2 }];

/** Returns SQLite's plan for every read of rows, on a file that the store has made. */
async function queryPlans(): Promise<{ sql: string; plan: string }[]> {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const database = new Database(path);
  const read = new Set([SUMMARY, SUMMARY_BY_NAME, SUMMARIES_AFTER]);
  const queries = sqliteQueries(async (sql: string, ..._: unknown[]) => {
    read.add(sql);
    return [];
  }, NO_NAMES);
  for (const sensor of [undefined, 1]) {
    for (const times of TIMES) {
      const selection = { ...times, sensor };
      await queries.newest(5, selection);
      for (const cursor of [undefined, { time: 1, id: 1 }]) {
        await queries.page(cursor, selection);
        await queries.olderThan(cursor, 5, selection);
      }
      for (const upTo of [undefined, 9]) await queries.pageById(1, upTo, { ...selection, after: 1 });
      await queries.idsBetween(1, 9, 5, { ...selection, after: 1 });
    }
    await queries.newest(5, { sensor, after: 1 });
    await queries.idAfter(1, 5, { sensor });
    await queries.idBefore(9, 5, { sensor, after: 1 });
    await queries.count(5, { sensor });
  }
  const plans = [...read].map((sql) => {
    const steps = database
      .prepare(`explain query plan ${sql}`)
      .all(...Array(sql.split('?').length - 1).fill(1));
    const plan = steps.map((step) => (step as { detail: string }).detail).join('\n');
    // The name of each row's sensor.
    return {
      sql,
      plan: plan.replace(/\nCORRELATED SCALAR SUBQUERY \d+\nSEARCH sensors USING INTEGER.*/, ''),
    };
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
      : sql.includes('id > ?') || sql.includes('id < ?') || sql.includes('from sensors join')
        ? /INTEGER PRIMARY KEY \(rowid/
        : sql.includes('order by created_at')
          ? /data USING (COVERING )?INDEX data_time/
          : /./;
    expect(plan, sql).toMatch(searches);
    if (/from data where (\(created_at|created_at|sensor|id)/.test(sql))
      expect(plan, sql).not.toMatch(/SCAN data/);
  }
});

test('counts no further than asked', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const reader = sqliteReader(path);
  const { count } = sqliteQueries(reader.all, NO_NAMES);
  const counts = (sensor?: number) => Promise.all([40, 99, 100, 5760].map((upTo) => count(upTo, { sensor })));
  expect(await counts()).toEqual([40, 99, 100, 100]);
  expect(await counts(1)).toEqual([40, 99, 100, 100]);
  expect(await count(10, { sensor: 2 })).toBe(0);
  await reader.close();
});
