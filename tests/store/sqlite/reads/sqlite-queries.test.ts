import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { type Selection, sqliteQueries } from '../../../../app/store/sqlite/reads/sqlite-queries.server';
import { sqliteReader } from '../../../../app/store/sqlite/reads/sqlite-reader.server';
import { summaryQueries } from '../../../../app/store/sqlite/reads/sqlite-sensors.server';
import { seedDatabase } from '../../../support/readings/database';
import { temporaryFolder } from '../../../support/server/server';

const NO_NAMES = { knownName: () => undefined, keep: () => {}, only: () => null };
const METRICS = { fields: () => ['co2', 'voc'] as const };

const TIMES: Selection[] = [{}, { from: 1 }, { to: 1 }, { from: 1, to: 2 }];

/** Returns SQLite's plan for every read of rows, on a file that the store has made. */
async function queryPlans(): Promise<{ sql: string; plan: string }[]> {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const database = new Database(path);
  const read = new Set(Object.values(summaryQueries(METRICS.fields())));
  const record = async (sql: string, ..._: unknown[]) => {
    read.add(sql);
    return [];
  };
  const queries = sqliteQueries(record, METRICS, NO_NAMES);
  const cursor = { time: 1, id: 1 };
  for (const times of TIMES) {
    await queries.newestOf(1, 5, times);
    for (const behind of [undefined, cursor]) {
      await queries.pageOf(1, behind, times);
      await queries.olderThan(1, behind, 5, times);
    }
    for (const sensor of [undefined, 1]) {
      await queries.pageById(1, 9, { ...times, sensor });
      await queries.countIds(1, 9, { ...times, sensor });
      await queries.idBefore(5, 1, 9, { ...times, sensor });
    }
  }
  for (const which of ['min', 'max'] as const) await queries.dayWithReadings(which, 1, 2);
  await queries.countInDay(1, 2);
  await queries.inDayBefore(5, 1, 2);
  await queries.pageOfDay(cursor, 2);
  await queries.newestIds(1, 5, {});
  await queries.highestId(1);
  await queries.lowestId(1);
  for (const sensor of [undefined, 1]) await queries.count(5, { sensor });
  const plans = [...read].map((sql) => {
    const steps = database
      .prepare(`explain query plan ${sql}`)
      .all(...Array(sql.split('?').length - 1).fill(1));
    return { sql, plan: steps.map((step) => (step as { detail: string }).detail).join('\n') };
  });
  database.close();
  return plans;
}

test('every query uses an index, and only windows of a day are sorted', async () => {
  const plans = await queryPlans();
  expect(plans.length).toBeGreaterThan(30);
  for (const { sql, plan } of plans) {
    if (!sql.includes('sensor_days')) expect(plan, sql).not.toMatch(/TEMP B-TREE/);
  }
});

test('every query searches for its first row', async () => {
  for (const { sql, plan } of await queryPlans()) {
    if (sql.includes('limit ?)')) continue;
    const searches = sql.includes('from sensor_days cross join')
      ? /SEARCH sensor_days USING PRIMARY KEY \(day=\?\)\nSEARCH data USING (COVERING )?INDEX data_reading \(sensor=\? AND created_at>/
      : sql.includes('sensor_days')
        ? /SEARCH sensor_days USING PRIMARY KEY \(day>\? AND day<\?\)/
        : sql.includes(' id > ?') || sql.includes(' id <= ?') || sql.includes('from sensors join')
          ? /INTEGER PRIMARY KEY \(rowid/
          : /^SEARCH data USING (COVERING )?INDEX data_reading \(sensor=\?/;
    expect(plan, sql).toMatch(searches);
    if (!sql.includes('from sensors join')) expect(plan, sql).not.toMatch(/SCAN (data|sensor_days)/);
  }
});

test('counts no further than asked', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 100);
  const reader = sqliteReader(path);
  const { count } = sqliteQueries(reader.all, METRICS, NO_NAMES);
  const counts = (sensor?: number) => Promise.all([40, 99, 100, 5760].map((upTo) => count(upTo, { sensor })));
  expect(await counts()).toEqual([40, 99, 100, 100]);
  expect(await counts(1)).toEqual([40, 99, 100, 100]);
  expect(await count(10, { sensor: 2 })).toBe(0);
  await reader.close();
});
