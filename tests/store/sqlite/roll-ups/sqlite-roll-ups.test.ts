import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { STEPS } from '../../../../app/readings/history/history-step';
import type { Reading, ReadingInput } from '../../../../app/readings/reading';
import { stepStart } from '../../../../app/readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../../../../app/readings/roll-up/slot';
import { formatReadingTime } from '../../../../app/readings/time/reading-time';
import type { ReadingStore } from '../../../../app/store/reading-store';
import { openSqliteFile } from '../../../../app/store/sqlite/file/sqlite-file.server.js';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { seededRandom } from '../../../../scripts/seed/seeded-random.js';
import { expectedRollUps, randomHistory, rollUpsOf } from '../../../contracts/history-contract';
import { createVersion1 } from '../../../support/readings/database';
import { THRESHOLDS } from '../../../support/readings/readings';
import { runScriptHere } from '../../../support/run-script';
import { temporaryFolder } from '../../../support/server/server';
import { until } from '../../../support/until';

const SEED = 20261123;
const OTHER_LIMITS = { co2: { good: 700, moderate: 1100.5 }, voc: { good: 100, moderate: 300 } };
const DAY = 86_400;

let path: string;
let store: ReadingStore;
let history: ReturnType<typeof randomHistory>;
let logged: string[];

beforeEach(() => {
  logged = [];
  vi.spyOn(console, 'log').mockImplementation((text) => logged.push(text));
  path = join(temporaryFolder(), 'readings.db');
  history = randomHistory(seededRandom(SEED));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
});

/** Runs SQL as another program would. */
function query(sql: string): unknown[][] {
  const database = new Database(path);
  try {
    const statement = database.prepare(sql);
    if (/^select/.test(sql)) return statement.raw().all() as unknown[][];
    statement.run();
    return [];
  } finally {
    database.close();
  }
}

async function readingsIn(): Promise<Reading[]> {
  const all: Reading[] = [];
  for await (const page of store.read({})) all.push(...page);
  return all;
}

/**
 * Compares the answers to random queries, and to one query for all hours and days of each sensor, with a computation
 * from all readings.
 */
async function expectRight(context = '', queries = 8, thresholds = THRESHOLDS): Promise<void> {
  const known = await readingsIn();
  const sensors = (await store.sensors()).map(({ name }) => name);
  const ofSensor = new Map(sensors.map((name) => [name, known.filter(({ sensor }) => sensor === name)]));
  const whole = sensors.flatMap((sensor) =>
    [3600, DAY].map((step) => ({ sensor, step, from: 0, to: 30_000 * DAY, thresholds })),
  );
  const random = Array.from({ length: queries }, () => ({ ...history.query(), thresholds }));
  for (const asked of [...random, ...whole]) {
    const expected = expectedRollUps(ofSensor.get(asked.sensor) ?? [], asked);
    expect(await rollUpsOf(store, asked), `${context} ${JSON.stringify(asked)}`).toEqual(expected);
  }
}

const many = (count = 6) =>
  Array.from({ length: count }, () => history.readings(60)).flat() as ReadingInput[];

async function insertMany(inputs: readonly ReadingInput[]): Promise<void> {
  for (let i = 0; i < inputs.length; i += 500) await store.insertAll(inputs.slice(i, i + 500));
}

test('a new metric of a sensor has the right sums, even in a slot or step that began without the metric', async () => {
  store = openSqliteStore(path);
  const WEEK = 7 * DAY;
  // All readings are in the first days of one step of a week.
  const day = (Math.floor(Date.now() / 1000 / WEEK) - 1) * WEEK;
  const at = (seconds: number, values: Partial<ReadingInput>): ReadingInput => ({
    sensor: 'each minute',
    co2: 500,
    voc: null,
    created_at: formatReadingTime((day + seconds) * 1e6),
    ...values,
  });
  await store.insertAll([at(0, {}), at(DAY, {}), at(DAY + 60, {})]);
  // This computes the kept hours and days.
  await expectRight('without the metric');
  await store.insertAll([at(DAY + 120, { pm25: 12.5 }), at(2 * DAY, { pm25: 20 })]);
  await expectRight('with the metric', 0);
  const week = { sensor: 'each minute', step: WEEK, from: day, to: day + WEEK, phase: 0 };
  const [found] = await rollUpsOf(store, {
    ...week,
    from: stepStart(week.from, week),
    to: stepStart(week.to, week),
    thresholds: THRESHOLDS,
  });
  expect(found?.pm25).toMatchObject({ values: 2, sum: 32.5 });
});

/** Closes and opens the file, and waits until all past days are computed. */
async function reopen(thresholds = THRESHOLDS): Promise<void> {
  await store.close();
  await open(thresholds);
}

async function open(thresholds = THRESHOLDS): Promise<void> {
  store = openSqliteStore(path, thresholds);
  const lastDay = 'unixepoch() - 7200 - 86400 - (unixepoch() - 7200) % 86400';
  await until(() => query(`select 1 from stale_days where day <= ${lastDay} limit 1`).length === 0);
}

describe('with another program that changes the file', () => {
  const columns = 'sensor, created_at, co2, voc';
  /** Changes by name. Each gets SQL for the id of any reading and for a row of columns. */
  const CHANGES: Record<string, (id: string, row: string) => string> = {
    'an insert': (_, row) => `insert into data (${columns}) select ${row}`,
    'an ignored insert': (id) =>
      `insert or ignore into data (${columns}) select sensor, created_at, 1, 1 from data where id = ${id}`,
    'a replacement by time': (id) =>
      `insert or replace into data (${columns}) select sensor, created_at, 1, 1 from data where id = ${id}`,
    'a replacement by id': (id, row) => `replace into data (id, ${columns}) select ${id}, ${row}`,
    'an update of a value': (id) => `update data set co2 = 777.25 where id = ${id}`,
    'an update of a time': (id) => `update data set created_at = created_at + 90000000001 where id = ${id}`,
    'an update that replaces a row': (id) =>
      `update or replace data set created_at = (select max(created_at) from data as other where other.sensor = data.sensor)
      where id = ${id}`,
    'an update of a sensor': (id) => `update data set sensor = 1 + sensor % 3 where id = ${id}`,
    'a delete': (id) => `delete from data where id = ${id}`,
    'a delete of many rows': () =>
      'delete from data where created_at < (select min(created_at) + 86400000000 from data)',
  };

  test.each(Object.entries(CHANGES))(`the history is right after %s (seed ${SEED})`, async (_, change) => {
    const { below } = history;
    store = openSqliteStore(path);
    await insertMany(many());
    await reopen();
    const any = (column: string) => `(select ${column} from data limit 1 offset ${below(300)})`;
    const row = `${1 + below(3)}, ${any('created_at')} + ${below(DAY * 1e6)}, ${below(3000)}, null`;
    const sql = change(any('id'), row);
    query(sql);
    await expectRight(sql, 4);
    await insertMany(many(2));
    await expectRight(sql, 4);
    await reopen();
    await expectRight('', 4);
  });

  test('the history is right on both sides of midnight', async () => {
    store = openSqliteStore(path);
    const midnight = (Math.floor(Date.now() / 1000 / DAY) - 3) * DAY;
    const timeOf = (minutes: number) => (midnight + minutes * 60) * 1e6;
    for (const minutes of [-45, -25, 110])
      await store.insert({
        sensor: 'a',
        co2: 500,
        voc: null,
        created_at: formatReadingTime(timeOf(minutes)),
      });
    await reopen();
    query(`insert into data (sensor, created_at, co2) values (1, ${timeOf(5)}, 500)`);
    await expectRight('after midnight', 0);
    query(`update data set created_at = ${timeOf(-5)} where created_at = ${timeOf(-25)}`);
    await expectRight('before midnight', 0);
  });

  test('pruning removes the slots of old readings immediately, and the history is right afterwards', async () => {
    store = openSqliteStore(path);
    await insertMany(many());
    await reopen();
    await store.close();
    const before = new Date(Date.now() - 4.3 * DAY * 1000).toISOString();
    vi.stubEnv('DATABASE_PATH', path);
    expect(await runScriptHere('prune', '--before', before, '--yes')).toMatchObject({ exitCode: 0 });
    vi.unstubAllEnvs();
    expect(query(`select count(*) from slots where start < unixepoch() - ${5.5 * DAY}`)).toEqual([[0]]);
    await open();
    await expectRight();
  });

  test('the history is right after all readings were deleted while no server ran', async () => {
    store = openSqliteStore(path);
    await insertMany(many());
    await expectRight();
    await store.close();
    query('delete from data');
    await open();
    await expectRight();
    for (const table of ['slots', 'roll_ups']) expect(query(`select count(*) from ${table}`)).toEqual([[0]]);
  });
});

test('computes the history of a file of version 1 while answering and storing', async () => {
  const readings = many(60) as Omit<Reading, 'id'>[];
  createVersion1(path, readings);
  const days = 'select count(*) from (select distinct sensor, created_at / 86400000000 from data)';
  const [[expected]] = query(days) as [[number]];
  store = openSqliteStore(path);
  expect(query('select count(*), count(distinct slots_from) > 10 from stale_days')).toEqual([[expected, 1]]);
  expect(query('select count(*) from slots')).toEqual([[0]]);
  // Inserts readings before the background job reaches their days.
  await store.insertAll(many(5).slice(0, 500));
  await expectRight('meanwhile');
  await until(() => query('select 1 from stale_days where slots_from is not null').length === 0);
  await expectRight('afterwards');
  await until(() => logged.some((line) => line.endsWith('the history is complete')));
  expect(logged).toEqual([
    expect.stringContaining('was upgraded to database version 12'),
    expect.stringMatching(/computing the history of \d+ days, while the server answers$/),
    expect.stringContaining('the history is complete'),
  ]);
});

test('a file from before faulty values were left out computes the days with such values again', async () => {
  store = openSqliteStore(path);
  const day = (Math.floor(Date.now() / 1000 / DAY) - 9) * DAY;
  const sensor = 'each minute';
  const inputs = [0, 1, 2, 3].flatMap((days) =>
    [500, days === 2 ? 65_519 : 520].map((co2, i): ReadingInput => {
      const created_at = formatReadingTime((day + days * DAY + i * 60 + 7200) * 1e6);
      return { sensor, co2, voc: null, ...(days === 1 && i === 0 && { temperature: -127 }), created_at };
    }),
  );
  await store.insertAll(inputs);
  await reopen();
  await store.close();
  const setTo = (field: string, value: number, days: number) =>
    [
      `update slots set ${field}_values = 2, ${field}_sum = ${value} + 500, ${field}_highest = ${value}, ${field}_lowest = min(500, ${value}) where start = ${day + days * DAY + 7200}`,
      `update roll_ups set ${field}_values = 2, ${field}_sum = ${value} + 500, ${field}_highest = ${value}, ${field}_lowest = min(500, ${value}) where start between ${day + days * DAY} and ${day + days * DAY + 7200}`,
    ].map(query);
  setTo('co2', 65_519, 2);
  setTo('temperature', -127, 1);
  query('drop table sensor_settings');
  query('drop table sensor_aliases');
  query('drop table uncorrected_spans');
  query('alter table data drop column raw');
  query('alter table sensors drop column raw_from');
  query('drop table deletions');
  query('drop table deleted_data');
  query('pragma user_version = 7');
  const { database, close } = openSqliteFile(path);
  const marked = database.prepare('select day, slots_from from stale_days order by day').raw().all();
  close();
  expect(marked).toEqual([1, 2].map((days) => [day + days * DAY, day + days * DAY]));
  await open();
  await expectRight('afterwards');
});

test('computes the history of an import soon after the import ends', async () => {
  store = openSqliteStore(path);
  // Lets the job check for dirty days once, before the import.
  await new Promise(setImmediate);
  const hour = Math.floor(Date.now() / 3.6e6) - 60 * 24;
  const ago = (days: number) => formatReadingTime((hour - days * 24) * 3.6e9);
  await store.insertAll(
    Array.from({ length: 100 }, (_, i) => ({ sensor: 'a', co2: 600, voc: i, created_at: ago(i) })),
  );
  expect(query('select count(*) >= 100 from stale_days')).toEqual([[1]]);
  await until(() => query('select 1 from stale_days').length === 0);
  // The job also notices a second import.
  await store.insertAll(
    Array.from({ length: 100 }, (_, i) => ({ sensor: 'b', co2: 600, voc: i, created_at: ago(i) })),
  );
  await until(() => query('select 1 from stale_days').length === 0);
  await expectRight();
});

test('logs every ten seconds how many days of the history are computed', async () => {
  createVersion1(path, many(60) as Omit<Reading, 'id'>[]);
  // Eleven seconds pass in each event-loop turn.
  const now = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  const clock = setInterval(() => {
    ahead += 11_000;
  });
  try {
    store = openSqliteStore(path);
    await until(() => logged.some((line) => line.endsWith('the history is complete')));
  } finally {
    clearInterval(clock);
  }
  const days = Number(/history of (\d+) days, while/.exec(logged[1] ?? '')?.[1]);
  const reports = logged.slice(2, -1).map((line) => {
    const [, done, all] = /: (\d+) of (\d+) days of the history are computed$/.exec(line) ?? [];
    return { done: Number(done), all: Number(all) };
  });
  expect(reports.length).toBeGreaterThan(0);
  expect(
    reports.filter(({ done, all }, i) => all !== days || done > days || done < (reports[i - 1]?.done ?? 1)),
  ).toEqual([]);
});

test('continues the computation of an earlier process, and the history is right afterwards', async () => {
  createVersion1(path, many(60) as Omit<Reading, 'id'>[]);
  for (let starts = 0; starts < 5; starts++) {
    store = openSqliteStore(path);
    await until(() => query('select count(*) from slots where start > 0')[0]?.[0] !== 0);
    await store.close();
  }
  store = openSqliteStore(path);
  await expectRight();
});

test('answers for changed thresholds at once, and for the former ones again later', async () => {
  store = openSqliteStore(path, THRESHOLDS);
  await insertMany(many());
  await reopen();
  await store.close();
  store = openSqliteStore(path, OTHER_LIMITS);
  await expectRight('other limits', 8, OTHER_LIMITS);
  await expectRight('the former thresholds', 8, THRESHOLDS);
  await reopen(OTHER_LIMITS);
  await expectRight('up to date', 8, OTHER_LIMITS);
  await store.close();
  store = openSqliteStore(path, THRESHOLDS);
  await expectRight();
});

test('a failed insert leaves no slot', async () => {
  store = openSqliteStore(path);
  await insertMany(many());
  query(
    "create trigger refuse before insert on data when new.co2 = 13 begin select raise(fail, 'refused'); end",
  );
  const inputs = many(3);
  (inputs[100] as ReadingInput).co2 = 13;
  await expect(store.insertAll(inputs)).rejects.toThrow('refused');
  await expectRight('after a failed batch');
  query('drop trigger refuse');
  await store.insertAll(inputs);
  await expectRight('after a stored batch');
});

test('stores no reading without its slot', async () => {
  store = openSqliteStore(path);
  query("create trigger refuse before insert on slots begin select raise(fail, 'refused'); end");
  await expect(store.insert({ co2: 500, voc: 1 })).rejects.toThrow('refused');
  expect(await store.count(10)).toBe(0);
  query('drop trigger refuse');
  await store.insert({ co2: 500, voc: 1 });
  expect(query('select readings from slots')).toEqual([[1]]);
});

test('the history is right while another program holds the lock, and roll-ups are stored afterwards', async () => {
  store = openSqliteStore(path);
  await insertMany(many());
  const other = new Database(path);
  other.exec('begin immediate');
  // Each wait for the lock takes 4.5 s.
  await until(async () => {
    const startedAt = performance.now();
    await expectRight();
    return performance.now() - startedAt < 4000;
  });
  expect(query('select count(*) from roll_ups')).toEqual([[0]]);
  other.exec('rollback');
  other.close();
  await expectRight('after it');
  expect(query('select count(*) from roll_ups')).not.toEqual([[0]]);
});

test('yields the right steps before 1970', async () => {
  store = openSqliteStore(path);
  const known: Reading[] = [];
  for (const seconds of [-90_000, -3601, -900, -301, -299, -1, 0, 250]) {
    const reading = {
      sensor: 'old',
      co2: 900 - seconds,
      voc: null,
      created_at: formatReadingTime(seconds * 1e6),
    };
    known.push((await store.insert(reading)).reading);
  }
  for (const step of STEPS) {
    const steps = { step, phase: step < SLOT_SECONDS ? 0 : step - SLOT_SECONDS };
    const span = { from: stepStart(-3700, steps), to: stepStart(300, steps) + step };
    const asked = { sensor: 'old', ...steps, ...span, thresholds: THRESHOLDS };
    expect(await rollUpsOf(store, asked)).toEqual(expectedRollUps(known, asked));
    const whole = { ...asked, phase: 0, from: -10 * DAY * 7, to: 10 * DAY * 7 };
    expect(await rollUpsOf(store, whole)).toEqual(expectedRollUps(known, whole));
  }
});

test('the history of a copy of the file is right', async () => {
  store = openSqliteStore(path);
  await insertMany(many());
  const copy = join(temporaryFolder(), 'copy.db');
  query(`vacuum into '${copy}'`);
  await store.close();
  path = copy;
  store = openSqliteStore(path);
  await expectRight();
  query(`insert into data (sensor, created_at, co2) select 1, created_at + 7, 1 from data where sensor = 2`);
  await expectRight('after a change to the copy');
});

test('computes a changed day of many readings in several event-loop turns', async () => {
  store = openSqliteStore(path);
  const start = 1_767_225_600;
  await store.insert({ co2: 800, voc: null, created_at: formatReadingTime(start * 1e6) });
  query(`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 45000)
    insert into data (sensor, created_at, co2) select 1, ${start * 1e6} + i * 1000000, 900 from numbers`);
  const builtTo = new Set<unknown>();
  let noting = setImmediate(function note() {
    builtTo.add(query(`select slots_from from stale_days where day = ${start}`)[0]?.[0]);
    noting = setImmediate(note);
  });
  const asked = { sensor: '', from: start, to: start + DAY, step: DAY, thresholds: THRESHOLDS };
  const [rollUp] = await rollUpsOf(store, asked);
  clearImmediate(noting);
  expect(rollUp?.readings).toBe(45_001);
  expect(builtTo.size).toBeGreaterThan(4);
});
