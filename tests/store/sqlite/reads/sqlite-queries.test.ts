import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { compareReadings, compareTimes, type Reading } from '../../../../app/readings/reading';
import { formatReadingTime } from '../../../../app/readings/time/reading-time';
import type { ReadingQuery } from '../../../../app/store/reading-store';
import { type Selection, sqliteQueries } from '../../../../app/store/sqlite/reads/sqlite-queries.server';
import { sqliteReader } from '../../../../app/store/sqlite/reads/sqlite-reader.server';
import { summaryQueries } from '../../../../app/store/sqlite/reads/sqlite-sensors.server';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { seededRandom } from '../../../../scripts/seed/seeded-random.js';
import { seedDatabase } from '../../../support/readings/database';
import { temporaryFolder } from '../../../support/server/server';

const NO_NAMES = { knownName: () => undefined, keep: () => {} };
const METRICS = { fields: () => ['co2', 'voc'] as const };

const TIMES: Selection[] = [{}, { from: 1 }, { to: 1 }, { from: 1, to: 2 }];

/** Returns SQLite's plan for each query of the store. */
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
  await queries.lastTime(1, 2);
  await queries.newestOfDay(1, 2, 5);
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

test('every query finds its first row by an index search', async () => {
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

test('reads several sensors in order of time, across gaps and across dense and sparse windows', async () => {
  const store = openSqliteStore(join(temporaryFolder(), 'several.db'));
  const random = seededRandom(20261124);
  const known: Reading[] = [];
  let time = Date.UTC(2026, 0, 1) * 1000;
  for (let batch = 0; batch < 16; batch++) {
    // The readings of a batch share one time, or are milliseconds, seconds, a minute or hours apart. Days without readings
    // follow.
    const longest = [1, 2000, 1e6, 6e7, 7.2e9][batch % 5] as number;
    const inputs = Array.from({ length: 500 }, (_, i) => {
      time += Math.floor(random() * longest);
      const late = random() < 0.1 ? 3e6 : 0;
      return { sensor: `s${(batch + i) % 7}`, co2: i, voc: null, created_at: formatReadingTime(time - late) };
    });
    for (const result of await store.insertAll(inputs))
      if ('outcome' in result && result.outcome === 'stored') known.push(result.reading);
    time += 5 * 86_400e6;
  }
  known.sort(compareReadings);
  expect(known.length).toBeGreaterThan(6000);
  const read = async (query: ReadingQuery) => {
    const found: Reading[] = [];
    for await (const page of store.read(query)) found.push(...page);
    return found;
  };
  expect(await read({})).toEqual(known);
  for (const limit of [1, 3, 499, 500, 501, 2000, 5760, 6000, known.length, 10_000]) {
    expect(await read({ limit }), `${limit}`).toEqual(known.slice(-limit));
  }
  for (const index of [0, 1, 700, 3000, 5500]) {
    const from = known[index]?.created_at as string;
    const to = known[index + 444]?.created_at as string;
    const inSpan = known.filter(
      ({ created_at }) => compareTimes(from, created_at) <= 0 && compareTimes(created_at, to) < 0,
    );
    expect(await read({ from, to })).toEqual(inSpan);
    expect(await read({ from, to, limit: 100 })).toEqual(inSpan.slice(-100));
    expect(await read({ from, to, limit: 5800 })).toEqual(inSpan);
  }
  const after = known[100]?.id as number;
  const ofSensor = known
    .filter(({ id, sensor }) => id > after && sensor === 's3')
    .sort((a, b) => a.id - b.id);
  expect(await read({ after, sensor: 's3' })).toEqual(ofSensor);
  expect(await read({ after, sensor: 's3', limit: 50 })).toEqual(ofSensor.slice(-50));
  await store.close();
});

test('stops counting at the given maximum', async () => {
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
