import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reading } from '../../../../app/readings/reading';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { rollUpsOf } from '../../../contracts/history-contract';
import { createVersion1 } from '../../../support/readings/database';
import { THRESHOLDS } from '../../../support/readings/readings';
import { temporaryFolder } from '../../../support/server/server';

const DAY = 86_400;
const TIME = '2026-03-01T10:30:00.000Z';
const MICROS = Date.parse(TIME) * 1000;
const KNOWN = { sensor: 'a', created_at: TIME, co2: 600, voc: 5 };

let path: string;
let logged: string[];

beforeEach(() => {
  path = join(temporaryFolder(), 'readings.db');
  logged = [];
  vi.spyOn(console, 'log').mockImplementation((text) => logged.push(text));
});

afterEach(() => vi.restoreAllMocks());

/** Runs SQL as another program would. */
function run(sql: string): unknown[] {
  const database = new Database(path);
  try {
    if (/^select/.test(sql)) return database.prepare(sql).raw().all();
    database.exec(sql);
    return [];
  } finally {
    database.close();
  }
}

/** Values by name: the time, CO2 and VOC in SQL, and the row that an upgrade makes of them; null if it moves the row. */
const UNREADABLE: Record<string, [time: string, co2: string, voc: string, becomes: Partial<Reading> | null]> =
  {
    'a time with a fraction': [
      "(julianday('2026-03-01 10:30:00.123') - 2440587.5) * 86400e6",
      '1500',
      '7',
      { created_at: expect.stringMatching(/^2026-03-01T10:30:00\.12\d{1,4}Z$/), co2: 1500, voc: 7 },
    ],
    'a fraction next to a stored time': [`${MICROS}.25`, '1500', '7', null],
    'a time as text': ["'2026-03-01T10:30:00Z'", '1500', '7', null],
    'a time as a blob': ["x'00'", '1500', '7', null],
    'the last time of SQLite': ['9200000000000000000', '1500', '7', null],
    'the first time of SQLite': ['-9200000000000000000', '1500', '7', null],
    'a time of the year 10000': ['253402300800000000', '1500', '7', null],
    'a time of the year 99': ['-59011459200000001', '1500', '7', null],
    'an infinite time': ['9e999', '1500', '7', null],
    'text as co2': [`${MICROS} + 1`, "'abc'", '7', { co2: null, voc: 7 }],
    'a blob as co2': [`${MICROS} + 1`, "x'00'", '7', { co2: null, voc: 7 }],
    'an infinite co2': [`${MICROS} + 1`, '9e999', '7', { co2: null, voc: 7 }],
    'text as voc': [`${MICROS} + 1`, '1500', "'abc'", { co2: 1500, voc: null }],
    'an infinite voc': [`${MICROS} + 1`, '1500', '-9e999', { co2: 1500, voc: null }],
    'no value at all': [`${MICROS} + 1`, "'abc'", 'null', null],
  };

test.each(Object.entries(UNREADABLE))('refuses %s from another program', async (_, [time, co2, voc]) => {
  const store = openSqliteStore(path);
  const { reading } = await store.insert(KNOWN);
  const row = `values (1, ${time}, ${co2}, ${voc})`;
  for (const sql of [
    `insert into data (sensor, created_at, co2, voc) ${row}`,
    `insert or ignore into data (sensor, created_at, co2, voc) ${row}`,
    `insert or replace into data (sensor, created_at, co2, voc) ${row}`,
    `update data set created_at = ${time}, co2 = ${co2}, voc = ${voc}`,
  ])
    expect(() => run(sql), sql).toThrow(/airboard can't read this row: created_at must be a whole number/);
  expect(await store.newest(10)).toEqual([reading]);
  await store.close();
});

test.each([
  [`${MICROS} + 1`, '1.7976931348623157e308', '-1.7976931348623157e308'],
  [`'${MICROS + 1}'`, "'12.5'", 'null'],
  [`${MICROS}.0 + 1`, 'null', '0'],
  ['-59011459200000000', '0', '0'],
  ['253402300799999999', '0', '0'],
])('accepts the time %s with co2 %s and voc %s from another program', async (time, co2, voc) => {
  const store = openSqliteStore(path);
  await store.insert(KNOWN);
  run(`insert into data (sensor, created_at, co2, voc) values (1, ${time}, ${co2}, ${voc})`);
  const found = await store.newest(10);
  expect(found).toHaveLength(2);
  for (const { co2, voc } of found)
    for (const value of [co2, voc]) expect(value === null || Number.isFinite(value)).toBe(true);
  await store.close();
});

test.each(Object.entries(UNREADABLE))(
  'opens an older file with %s, and corrects or moves the row',
  async (_, row) => {
    const [time, co2, voc, becomes] = row;
    const [known] = createVersion1(path, [KNOWN]);
    run(`insert into data (sensor, created_at, co2, voc) values (1, ${time}, ${co2}, ${voc})`);
    const store = openSqliteStore(path);
    const expected = becomes ? [known, expect.objectContaining({ id: 2, ...becomes })] : [known];
    expect(await store.newest(10)).toEqual(expected);
    const steps = { sensor: 'a', from: 0, to: 30_000 * DAY, step: DAY, thresholds: THRESHOLDS };
    expect((await rollUpsOf(store, steps)).map(({ readings }) => readings)).toEqual([expected.length]);
    await store.close();
    const moved = becomes ? [] : [[2]];
    if (moved.length > 0) expect(run('select id from unreadable')).toEqual(moved);
    else expect(run("select 1 from sqlite_master where name = 'unreadable'")).toEqual([]);
    expect(logged.filter((line) => line.includes("that can't be read"))).toEqual([
      `[airboard] ${path}: another program stored 1 row that can't be read. ` +
        (becomes ? '1 corrected' : '0 corrected, 1 moved to the table "unreadable"'),
    ]);
  },
);

test('a query of the history fails if it makes no progress', async () => {
  const store = openSqliteStore(path);
  await store.insert(KNOWN);
  const steps = { sensor: 'a', from: 0, to: 30_000 * DAY, step: DAY, thresholds: THRESHOLDS };
  await rollUpsOf(store, steps);
  run(`insert into stale_days (sensor, day) values (1, ${MICROS / 1e6 + 0.25})`);
  await expect(rollUpsOf(store, steps)).rejects.toThrow(/the history of sensor 1 from .* can't be read/);
  await store.close();
});
