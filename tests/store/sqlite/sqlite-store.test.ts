import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Reading } from '../../../app/readings/reading';
import type { InsertSource, ReadingStore } from '../../../app/store/reading-store';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../support/server';

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

test('stores an insert that a listener makes', async () => {
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

test.each([
  ['reads everything', {}, 30],
  ['resumes from an id', { after: 1 }, 30],
  ['passes over the newest readings', { limit: 1e9 }, 33],
  ['passes over the newest ids', { limit: 1e9, after: 1 }, 33],
])(
  'gives way to others after each query of a client that %s, alone or with others',
  async (_, query, queries) => {
    await insertMany(30_000);
    const readAll = async () => {
      for await (const _page of store.read(query));
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

test('reads exactly the newest, however many steps away the oldest of them is', async () => {
  const ids = (await insertMany(21_000)).map(({ id }) => id);
  for (const limit of [5761, 9999, 10_000, 10_001, 20_000, 20_001, 20_999, 21_000, 21_001]) {
    for (const after of [undefined, 0, 15_000]) {
      const read: number[] = [];
      for await (const page of store.read({ limit, after })) read.push(...page.map(({ id }) => id));
      expect(read).toEqual(ids.filter((id) => id > (after ?? 0)).slice(-limit));
    }
  }
});

test('stops counting readings that another program has deleted', async () => {
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
