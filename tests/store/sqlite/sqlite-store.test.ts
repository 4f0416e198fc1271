import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reading } from '../../../app/readings/reading';
import { formatReadingTime } from '../../../app/readings/time/reading-time';
import { BATCH_READINGS, type InsertSource, type ReadingStore } from '../../../app/store/reading-store';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';
import { seedDatabase } from '../../support/readings/database';
import { temporaryFolder } from '../../support/server/server';
import { processorMs } from '../../support/server/vitals';

let store: ReadingStore;

beforeEach(() => {
  store = openSqliteStore(join(temporaryFolder(), 'readings.db'));
});

afterEach(() => store.close());

const insertMany = async (count: number) => {
  const inserts = Array.from({ length: count }, (_, i) => store.insert({ co2: i, voc: 10 * i }));
  return (await Promise.all(inserts)).map(({ reading }) => reading);
};

test('reports every insert once, in the order of ids, after it is stored', async () => {
  const reported: Reading[] = [];
  const stop = (store.inserts as InsertSource).subscribe((reading) => reported.push(reading));
  const stored = await insertMany(50);
  expect(reported).toEqual(stored);
  expect(await store.newest(100)).toEqual(stored);
  stop();
  await insertMany(1);
  expect(reported).toHaveLength(50);
});

test('after a failed insert, reads name the missing table, and work once the table is back', async () => {
  const file = join(temporaryFolder(), 'readings.db');
  const other = openSqliteStore(file);
  await other.insert({ co2: 1, voc: 2 });
  const database = new Database(file);
  database.exec('alter table data rename to elsewhere');
  await expect(other.insert({ co2: 3, voc: 4 })).rejects.toThrow('no such table: data');
  await expect(other.newest(10)).rejects.toThrow('no such table: data');
  database.exec('alter table elsewhere rename to data');
  database.close();
  expect(await other.newest(10)).toMatchObject([{ co2: 1, voc: 2 }]);
  await other.close();
});

test('while the clock stands still, the first reading of a sensor gets its time, and each later one the next microsecond', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_767_348_000_000);
  const stored = await insertMany(1100);
  const bedroom = await store.insert({ co2: 1, voc: 1, sensor: 'Bedroom' });
  clock.mockReturnValue(1_767_348_000_001);
  const next = await store.insert({ co2: 1, voc: 1 });
  clock.mockRestore();
  expect(stored.map(({ created_at }) => created_at)).toEqual(
    Array.from({ length: 1100 }, (_, i) => formatReadingTime(1_767_348_000_000_000 + i)),
  );
  expect(bedroom.reading.created_at).toBe('2026-01-02T10:00:00.000Z');
  expect(next.reading.created_at).toBe('2026-01-02T10:00:00.001100Z');
});

test('uses the time of a clock that was set back, or the next free time', async () => {
  const clock = vi.spyOn(Date, 'now');
  const times: string[] = [];
  for (const second of [2, 2, 1, 1, 2, 2]) {
    clock.mockReturnValue(1_767_348_000_000 + second * 1000);
    times.push((await store.insert({ co2: 1, voc: 1 })).reading.created_at.slice(17, -1));
  }
  clock.mockRestore();
  expect(times).toEqual(['02.000', '02.000001', '01.000', '01.000001', '02.000002', '02.000003']);
});

test('finds a free time after 100,000 used ones for 100 readings in less than a second', async () => {
  const path = join(temporaryFolder(), 'taken.db');
  const taken = openSqliteStore(path);
  await taken.insert({ co2: 1, voc: 1, created_at: '2026-01-01T00:00:00Z' });
  const other = new Database(path);
  other.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 99999)
    insert into data (sensor, created_at, co2) select 1, 1767348000000000 + i, 1 from n`);
  other.close();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_767_348_000_000);
  const inserts = Array.from({ length: 100 }, () => taken.insert({ co2: 2, voc: 2 }));
  const startedAt = processorMs();
  const stored = (await Promise.all(inserts)).map(({ reading }) => reading);
  const tookMs = processorMs() - startedAt;
  clock.mockRestore();
  expect(stored.map(({ created_at }) => created_at)).toEqual(
    Array.from({ length: 100 }, (_, i) => formatReadingTime(1_767_348_000_100_000 + i)),
  );
  // Trying each used time would take many times as long.
  expect(tookMs).toBeLessThan(1000);
  await taken.close();
});

test('stores the rest of a batch if one reading is rejected', async () => {
  const results = await store.insertAll([
    { co2: 1, voc: 1 },
    { co2: null, voc: null },
    { co2: Number.NaN, voc: 1 },
    { co2: 1, voc: 1, created_at: 'yesterday' },
    { co2: 2, voc: 2 },
  ]);
  expect(results.map((result) => ('outcome' in result ? result.outcome : result.message))).toEqual([
    'stored',
    'A reading needs a value.',
    "NaN can't be stored: only finite numbers can.",
    '"yesterday" is not an ISO 8601 time with Z or an offset.',
    'stored',
  ]);
  expect((await store.newest(10)).map(({ id, co2 }) => [id, co2])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('uses no ids for duplicates', async () => {
  const reading = (second: number) => ({ co2: 1, voc: 1, created_at: `2026-01-02T10:00:${second}Z` });
  const batch = Array.from({ length: 49 }, (_, i) => reading(10 + i));
  await store.insertAll(batch);
  await store.insertAll(batch);
  for (const known of batch) await store.insert(known);
  expect((await store.insert(reading(59))).reading.id).toBe(50);
});

test('stores single readings before many batches, and the batches in order', async () => {
  const order: string[] = [];
  const batches = Array.from({ length: 20 }, (_, batch) =>
    store
      .insertAll(Array.from({ length: BATCH_READINGS }, () => ({ co2: batch, voc: 1 })))
      .then(() => order.push(`batch ${batch}`)),
  );
  const singles = Array.from({ length: 5 }, (_, i) =>
    store.insert({ co2: 1000 + i, voc: 1 }).then(() => order.push(`single ${i}`)),
  );
  await Promise.all([...batches, ...singles]);
  expect(order.slice(0, 6)).toEqual([...Array.from({ length: 5 }, (_, i) => `single ${i}`), 'batch 0']);
  expect(order.slice(5)).toEqual(batches.map((_, batch) => `batch ${batch}`));
});

test('lets other work run between the transactions of 20 batches', async () => {
  let turns = 0;
  let isInserting = true;
  const countTurn = () => {
    turns += 1;
    if (isInserting) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const batch = Array.from({ length: BATCH_READINGS }, () => ({ co2: 1, voc: 1 }));
  await Promise.all(Array.from({ length: 20 }, () => store.insertAll(batch)));
  isInserting = false;
  // Two batches share a transaction.
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('finds a sensor by its new name after another program renamed it', async () => {
  const path = join(temporaryFolder(), 'renamed.db');
  const renamed = openSqliteStore(path);
  await renamed.insert({ co2: 1, voc: 1, sensor: 'Bedroom' });
  const other = new Database(path);
  other.exec("update sensors set name = 'Attic' where name = 'Bedroom'");
  other.close();
  expect((await renamed.newest(1, { sensor: 'Attic' })).map(({ sensor }) => sensor)).toEqual(['Attic']);
  expect(await renamed.newest(1, { sensor: 'Bedroom' })).toEqual([]);
  const { reading } = await renamed.insert({ co2: 2, voc: 2, sensor: 'Attic' });
  expect((await renamed.newest(5, { sensor: 'Attic' })).at(-1)).toEqual(reading);
  await renamed.close();
});

test('finds the metrics of a sensor, even in readings added by another program', async () => {
  const file = join(temporaryFolder(), 'readings.db');
  const other = openSqliteStore(file);
  await other.insert({ co2: 1, voc: null, sensor: 'Attic' });
  expect(await other.measured()).toEqual(['co2', 'voc']);
  await other.insertAll([
    { co2: null, voc: null, temperature: 0, sensor: 'Cellar' },
    { co2: null, voc: null, pm25: 3, sensor: 'Street' },
  ]);
  expect(await other.measured()).toEqual(['co2', 'voc', 'pm25', 'temperature']);
  expect(await other.measured('Attic')).toEqual(['co2']);
  expect(await other.measured('Cellar')).toEqual(['temperature']);
  expect(await other.measured('Loft')).toEqual([]);
  const database = new Database(file);
  database.exec(`insert into data (sensor, created_at, pm25)
    select id, 1767348000000000, 5 from sensors where name = 'Cellar'`);
  database.close();
  expect(await other.measured('Cellar')).toContain('pm25');
  await other.close();
});

test('stores an insert made by a listener', async () => {
  const stop = (store.inserts as InsertSource).subscribe((reading) => {
    if (reading.co2 === 0) store.insert({ co2: 7, voc: 7 });
  });
  await store.insert({ co2: 0, voc: 0 });
  await store.insert({ co2: 1, voc: 1 });
  stop();
  expect((await store.newest(10)).map(({ co2 }) => co2).sort()).toEqual([0, 1, 7]);
});

test('reads from page to page while readings are inserted', async () => {
  const first = await insertMany(2500);
  const read: Reading[] = [];
  for await (const page of store.read({})) {
    read.push(...page);
    if (read.length === 1000) await insertMany(10);
  }
  expect(read.slice(0, 2500)).toEqual(first);
  expect(read).toHaveLength(2510);
});

describe('with many readings', () => {
  const STORED = 21_000;
  let full: ReadingStore;

  beforeAll(async () => {
    const path = join(temporaryFolder(), 'full.db');
    await seedDatabase(path, STORED);
    full = openSqliteStore(path);
  });

  afterAll(() => full.close());

  test.each([
    ['reads everything', {}, 21],
    ['resumes from an id', { after: 1 }, 21],
    ['skips the newest readings', { limit: 1e9 }, 23],
    ['skips the newest ids', { limit: 1e9, after: 1 }, 23],
  ])(
    'lets other work run after each query of a client that %s, alone or with others',
    async (_, query, queries) => {
      const readAll = async () => {
        for await (const _page of full.read(query));
      };
      for (const readers of [1, 3]) {
        let turns = 0;
        let isReading = true;
        const countTurn = () => {
          turns += 1;
          if (isReading) setImmediate(countTurn);
        };
        setImmediate(countTurn);
        await Promise.all(Array.from({ length: readers }, readAll));
        isReading = false;
        expect(turns).toBeGreaterThanOrEqual(readers * queries);
      }
    },
  );

  test('reads exactly the newest readings at any limit', async () => {
    const ids = Array.from({ length: STORED }, (_, i) => i + 1);
    for (const limit of [5761, 9999, 10_000, 10_001, 20_000, 20_001, STORED - 1, STORED, STORED + 1]) {
      for (const after of [undefined, 0, 15_000]) {
        const read: number[] = [];
        for await (const page of full.read({ limit, after })) read.push(...page.map(({ id }) => id));
        expect(read).toEqual(ids.filter((id) => id > (after ?? 0)).slice(-limit));
      }
    }
  });
});

test('no longer counts readings deleted by another program', async () => {
  const path = join(temporaryFolder(), 'shared.db');
  const shared = openSqliteStore(path);
  for (let i = 0; i < 30; i++) await shared.insert({ co2: i, voc: i });
  expect([await shared.count(20), await shared.count(40)]).toEqual([20, 30]);
  const other = new Database(path);
  other.exec('delete from data where id > 5');
  other.close();
  expect([await shared.count(20), await shared.count(3)]).toEqual([5, 3]);
  await shared.insert({ co2: 1, voc: 1 });
  expect(await shared.count(20)).toBe(6);
  await shared.close();
});

test('finishes pending inserts before it closes', async () => {
  const path = join(temporaryFolder(), 'closing.db');
  const closing = openSqliteStore(path);
  const inserted = closing.insert({ co2: 1, voc: 2 });
  await closing.close();
  const reopened = openSqliteStore(path);
  expect(await reopened.newest(10)).toEqual([(await inserted).reading]);
  await reopened.close();
});
