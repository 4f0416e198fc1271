import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../../support/server/server';

let folder: string;
let path: string;

beforeEach(() => {
  folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  path = join(folder, 'readings.db');
});

test.each([
  ['the file', () => path],
  ['its folder', () => folder],
])('rejects a second server through a symbolic link to %s', async (_, target) => {
  const link = join(temporaryFolder(), 'link');
  symlinkSync(target(), link);
  const store = openSqliteStore(path);
  const other = target() === path ? link : join(link, 'readings.db');
  expect(() => openSqliteStore(other)).toThrow(`another airboard already uses ${other}`);
  await store.close();
  await openSqliteStore(other).close();
});

test('creates the target of a link, with its write-ahead log and lock beside the target', async () => {
  const link = join(temporaryFolder(), 'link.db');
  symlinkSync(path, link);
  const store = openSqliteStore(link);
  await store.insert({ co2: 1, voc: 1 });
  expect(readdirSync(folder)).toEqual(
    expect.arrayContaining(['readings.db', 'readings.db-wal', 'readings.db.lock']),
  );
  expect(() => openSqliteStore(path)).toThrow(
    /another airboard already uses .* Stop it \(Ctrl-C, or sudo systemctl stop airboard\), or set DATABASE_PATH/,
  );
  await store.close();
});

test('refuses a file with a hard link, by either name', async () => {
  const store = openSqliteStore(path);
  const link = join(folder, 'other-name.db');
  linkSync(path, link);
  expect(() => openSqliteStore(link)).toThrow(`${link} has 2 names (hard links)`);
  await store.close();
  expect(() => openSqliteStore(path)).toThrow(`${path} has 2 names (hard links)`);
  rmSync(link);
  await openSqliteStore(path).close();
});

test('stores nothing after its lock was removed and another server started', async () => {
  const first = openSqliteStore(path);
  await first.insert({ co2: 1, voc: 1 });
  rmSync(`${path}.lock`);
  await expect(first.insert({ co2: 2, voc: 2 })).rejects.toThrow('readings.db.lock was deleted');
  const second = openSqliteStore(path);
  await second.insert({ co2: 3, voc: 3 });
  await expect(first.insert({ co2: 4, voc: 4 })).rejects.toThrow('readings.db.lock was replaced');
  expect((await second.newest(10)).map(({ co2 }) => co2)).toEqual([1, 3]);
  await first.close();
  await second.close();
});

test('lets other programs read a locked file', async () => {
  const store = openSqliteStore(path);
  await store.insert({ co2: 1, voc: 1 });
  const reader = new Database(`file:${path}?mode=ro`);
  expect(reader.prepare('select co2 from data').pluck().all()).toEqual([1]);
  reader.close();
  await store.insert({ co2: 2, voc: 2 });
  await store.close();
});
