import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReadingStore } from '../../../app/store/reading-store';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../support/server/server';
import { until } from '../../support/until';

const MIB = 1024 * 1024;

let path: string;
let store: ReadingStore;

/** Grows the write-ahead log during a long read transaction, and then ends that transaction. */
function growLog(): void {
  const reader = new Database(path);
  reader.exec('begin');
  reader.prepare('select count(*) from data').all();
  const writer = new Database(path);
  writer.exec(`insert or ignore into sensors (id, name) values (1, '');
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 250000)
    insert into data (sensor, created_at, co2, voc) select 1, i, i, i from n`);
  writer.close();
  expect(logSize()).toBeGreaterThan(6 * MIB);
  vi.advanceTimersByTime(15_000);
  expect(logSize()).toBeGreaterThan(6 * MIB);
  reader.exec('commit');
  reader.close();
}

const logSize = () => statSync(`${path}-wal`).size;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  path = join(temporaryFolder(), 'readings.db');
  store = openSqliteStore(path);
  // Waits for the first reads and the file check of the start, which would outlast the long read.
  await Promise.all([store.newest(1), store.newest(1000)]);
  await until(() => !process.getActiveResourcesInfo().includes('ProcessWrap'));
});

afterEach(async () => {
  await store.close();
  vi.useRealTimers();
});

test('the write-ahead log is emptied within 15 s of the end of a long read, without another insert', () => {
  growLog();
  vi.advanceTimersByTime(15_000);
  expect(logSize()).toBe(0);
});

test('inserts after a long read truncate the write-ahead log to 4 MiB', async () => {
  growLog();
  for (let i = 0; i < 3; i++) await store.insert({ co2: i, voc: i });
  expect(logSize()).toBeLessThanOrEqual(4 * MIB);
  expect(await store.count(300_000)).toBe(250_003);
});

test('the background job computes the history once a long write-ahead log is emptied', async () => {
  await store.close();
  const other = new Database(path);
  other.exec("insert into sensors (id, name) values (1, '')");
  const reader = new Database(path);
  reader.exec('begin');
  reader.prepare('select count(*) from data').all();
  other.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)
    insert into data (sensor, created_at, co2, voc) select 1, i * 1000000, i, i from n`);
  expect(logSize()).toBeGreaterThan(8 * MIB);
  const unbuilt = () =>
    other.prepare('select day, slots_from from stale_days where slots_from is not null').raw().all();
  const all = unbuilt();
  expect(all).toHaveLength(5);

  store = openSqliteStore(path);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(unbuilt()).toEqual(all);
  reader.exec('commit');
  reader.close();
  await until(() => {
    // Another read may block one of the attempts.
    vi.advanceTimersByTime(15_000);
    return unbuilt().length === 0;
  });
  other.close();
});
