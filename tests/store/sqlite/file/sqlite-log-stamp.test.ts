import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import type { ReadingStore } from '../../../../app/store/reading-store';
import { backUpDatabase } from '../../../../app/store/sqlite/file/sqlite-copy.server.js';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../../support/server/server';

/** The page size in bytes. */
const PAGE = 4096;

const insertMany = (store: ReadingStore, count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => store.insert({ co2: i, voc: i })));

/** Copies the files of an open store, as after a power cut. */
function crashedCopy(path: string): string {
  const folder = join(temporaryFolder(), 'crashed');
  mkdirSync(folder);
  for (const suffix of ['', '-wal', '.lock']) {
    if (existsSync(path + suffix)) copyFileSync(path + suffix, join(folder, `readings.db${suffix}`));
  }
  return join(folder, 'readings.db');
}

test('refuses the write-ahead log of another file until it is moved away', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  let store = openSqliteStore(path);
  await insertMany(store, 250);
  await store.close();
  const backup = `${path}.backup`;
  copyFileSync(path, backup);

  store = openSqliteStore(path);
  await insertMany(store, 20);
  const crashed = crashedCopy(path);
  await store.close();
  copyFileSync(backup, crashed);

  expect(() => openSqliteStore(crashed)).toThrow(`${crashed}-wal is not the log of ${crashed}`);
  renameSync(`${crashed}-wal`, `${crashed}-wal.old`);
  const restored = openSqliteStore(crashed);
  expect(await restored.count(1000)).toBe(250);
  await restored.close();
});

test('replays the write-ahead log of a crash, repeatedly', async () => {
  let path = join(temporaryFolder(), 'readings.db');
  for (let crash = 0; crash < 3; crash++) {
    const store = openSqliteStore(path);
    await insertMany(store, 10);
    path = crashedCopy(path);
    await store.close();
  }
  const store = openSqliteStore(path);
  expect(await store.count(100)).toBe(30);
  await store.close();
});

test('replays the write-ahead log of a crash if another program was reading at the start', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  let store = openSqliteStore(path);
  await insertMany(store, 10);
  await store.close();
  const reader = new Database(path);
  reader.exec('begin');
  reader.prepare('select count(*) from data').all();
  store = openSqliteStore(path);
  reader.exec('commit');
  reader.close();
  await insertMany(store, 2000);
  await insertMany(store, 10);
  const crashed = crashedCopy(path);
  await store.close();
  store = openSqliteStore(crashed);
  expect(await store.count(5000)).toBe(2020);
  await store.close();
});

test('replays the write-ahead log of a crash during a checkpoint, when the file is shorter than its header says', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  const store = openSqliteStore(path);
  await insertMany(store, 2000);
  const crashed = crashedCopy(path);
  await store.close();
  const sizes = [crashed, path].map((file) => statSync(file).size);
  expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
  // A checkpoint writes the first page first. Its header contains the number of pages.
  writeSync(openSync(crashed, 'r+'), readFileSync(path), 0, PAGE, 0);
  const backup = `${path}.backup`;
  expect(backUpDatabase(crashed, backup).readings).toBe(2000);
  const next = openSqliteStore(crashed);
  expect(await next.count(5000)).toBe(2000);
  await next.close();
});
