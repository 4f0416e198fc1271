import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepRawDays } from '../../../../app/room/keep-raw-days.server';
import type { ReadingStore } from '../../../../app/store/reading-store';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { rollUpsOf } from '../../../contracts/history-contract';
import { THRESHOLDS } from '../../../support/readings/readings';
import { temporaryFolder } from '../../../support/server/server';
import { until } from '../../../support/until';

const DAY = 86_400;
const FIRST = Date.UTC(2026, 0, 5) / 1000;
const SENSORS = ['Hall', 'Attic', 'Office'];

let path: string;
let store: ReadingStore;

beforeEach(async () => {
  path = join(temporaryFolder(), 'readings.db');
  store = openSqliteStore(path);
  for (let minute = 0; minute < 4 * 1440; minute += 96) await store.insertAll(minutesFrom(minute));
});

afterEach(() => store.close());

/** Returns the readings of all sensors in 96 minutes, a fifteenth of a day. */
function minutesFrom(first: number) {
  return Array.from({ length: 96 }, (_, i) =>
    SENSORS.map((sensor, n) => ({
      sensor,
      co2: 400 + n * 100 + (first + i) / 100,
      voc: null,
      created_at: new Date((FIRST + (first + i) * 60) * 1000).toISOString(),
    })),
  ).flat();
}

const all = (to: number) => ({ before: new Map(SENSORS.map((sensor) => [sensor, to])) });

async function removeRaw(to = FIRST + 3 * DAY): Promise<number[]> {
  const steps: number[] = [];
  for (let call = 0; call < 2; call += 1)
    for await (const removed of store.removeRaw(all(to))) steps.push(removed);
  return steps;
}

const slots = (sensor = 'Hall') =>
  rollUpsOf(store, { sensor, from: FIRST - DAY, to: FIRST + 5 * DAY, step: 300, thresholds: THRESHOLDS });

/** Runs SQL as another program would. */
function run(sql: string): unknown[] {
  const database = new Database(path);
  try {
    return database.prepare(sql).pluck().all();
  } finally {
    database.close();
  }
}

test('removes readings in small steps, and later readings use their space', async () => {
  const pages = () => Number(run('select page_count from pragma_page_count')[0]);
  const steps = await removeRaw();
  expect(steps.reduce((sum, removed) => sum + removed)).toBe(3 * (3 * 1440 - 1));
  expect(Math.max(...steps)).toBeLessThanOrEqual(250);
  expect(run('select count(*) from data')).toEqual([3 * 1441]);
  expect(run('select count(*) from stale_days where slots_from is not null')).toEqual([0]);
  // The first reading and the last day.
  expect(run('select distinct day from sensor_days')).toEqual([FIRST, FIRST + 3 * DAY]);
  const before = pages();
  for (let minute = 4 * 1440; minute < 6 * 1440; minute += 96) await store.insertAll(minutesFrom(minute));
  expect(pages()).toBe(before);
});

test('keeps the readings of days whose slots have to be computed first', async () => {
  run(
    `update data set co2 = 1000 where id = (select max(id) from data where created_at < ${(FIRST + 2 * DAY) * 1e6}) returning id`,
  );
  expect(run('select day from stale_days where slots_from is not null')).toEqual([FIRST + DAY]);
  const steps = await removeRaw();
  expect(steps.reduce((sum, removed) => sum + removed)).toBe(3 * (3 * 1440 - 1) - 1440);
  expect(run('select count(*) from data')).toEqual([3 * 1441 + 1440]);
});

test('waits for corrections in progress, and while deleted readings of a day can be brought back', async () => {
  const { id } = (await store.newest(1, { sensor: 'Attic' }))[0] as { id: number };
  run(
    `insert into deleted_data (deletion, id, created_at, co2) values (1, ${id}, ${(FIRST + DAY) * 1e6}, 500) returning id`,
  );
  const [key] = run("select id from sensors where name = 'Hall'");
  run(
    `insert into uncorrected_spans (sensor, first, until) values (${key}, ${(FIRST + 10 * DAY) * 1e6}, ${(FIRST + 11 * DAY) * 1e6}) returning first`,
  );
  const steps = await removeRaw();
  expect(steps.reduce((sum, removed) => sum + removed)).toBe(2 * (2 * 1440 - 1));
  run('delete from deleted_data returning id');
  run('delete from uncorrected_spans returning first');
  await removeRaw();
  expect(run('select count(*) from data')).toEqual([3 * 1441]);
});

test('no change by another program wipes the slots of removed readings', async () => {
  await removeRaw();
  const before = await slots();
  const [key] = run("select id from sensors where name = 'Hall'");
  const insert = (second: number) =>
    run(
      `insert into data (sensor, created_at, co2, voc) values (${key}, ${second * 1e6}, 5000, null) returning id`,
    );
  insert(FIRST + DAY + 60);
  run(`delete from data where created_at = ${FIRST * 1e6} returning id`);
  expect(await slots()).toEqual(before);
  // A time without a slot gets one.
  insert(FIRST - 3600);
  expect(await slots()).toMatchObject([{ start: FIRST - 3600, readings: 1 }, ...before]);
});

test('keeps as many days as the setting says, by the clock, once the findings are ready', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(Date, 'now').mockReturnValue((FIRST + 40 * DAY + 5000) * 1000);
  let isReady = false;
  const timing = { firstMs: 1, intervalMs: 1 };
  const days: Record<string, number> = { Hall: 39, Attic: 0, Office: 38 };
  const work = keepRawDays(
    store,
    (sensor) => days[sensor] ?? 0,
    () => isReady,
    timing,
  );
  expect(await store.rawFrom('Hall')).toBeNull();
  isReady = true;
  await until(async () => (await store.count(10_000, 'Office')) === 2 * 1440 + 1);
  await until(async () => (await store.count(10_000, 'Hall')) === 3 * 1440 + 1);
  await work.stop();
  expect(await Promise.all(SENSORS.map((sensor) => store.rawFrom(sensor)))).toEqual([
    FIRST + DAY,
    null,
    FIRST + 2 * DAY,
  ]);
  expect(await store.count(10_000, 'Attic')).toBe(4 * 1440);
  vi.restoreAllMocks();
});
