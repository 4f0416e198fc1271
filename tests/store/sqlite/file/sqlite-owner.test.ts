import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { beforeEach, expect, test } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../../../app/store/sqlite/file/sqlite-copy.server.js';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { runSql, seedDatabase, seedVersion0 } from '../../../support/readings/database';
import { temporaryFolder } from '../../../support/server/server';

let path: string;

beforeEach(() => {
  path = join(temporaryFolder(), 'readings.db');
});

/** The names, bytes and times of all files in the database's folder. Each reader writes the shared memory (`-shm`). */
const filesBeside = () =>
  readdirSync(dirname(path))
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => {
      const file = join(dirname(path), name);
      return [name, statSync(file).mtimeMs, readFileSync(file)];
    });

test.each([
  ['with tables of its own', 'create table visits (id integer primary key, url text)'],
  ['in WAL mode', 'pragma journal_mode = wal; create table visits (id integer primary key, url text)'],
  ['with a version that airboard has had', 'create table visits (url text); pragma user_version = 3'],
  ['with the newest version', 'create table visits (url text); pragma user_version = 12'],
  ['with a later version', 'create table visits (url text); pragma user_version = 42'],
  ['with a table "data"', 'create table data (key text, value text); pragma user_version = 12'],
  ['with a table "data" in version 0', 'create table data (id integer primary key, co2 real)'],
  ['with readings of its own', 'create table data (id, co2, voc, created_at); pragma user_version = 3'],
  ['with a view only', 'create view data as select 1 as id'],
  ['without a table, but with a version', 'pragma user_version = 3'],
  ['without a table, but with an application id', 'pragma application_id = 77'],
])('refuses the database of another program %s, and changes nothing', async (_, sql) => {
  const copy = join(temporaryFolder(), 'copy.db');
  await seedDatabase(copy, 3);
  runSql(path, sql);
  const before = filesBeside();
  const words =
    /it is a database of another program \(it contains .*\), and was not changed\. Set DATABASE_PATH/;
  expect(() => openSqliteStore(path)).toThrow(words);
  expect(() => restoreDatabase(copy, path)).toThrow(words);
  expect(() => backUpDatabase(path, `${copy}.2`)).toThrow(words);
  expect(filesBeside()).toEqual(before);
});

test("leaves another program's write-ahead log where it is", () => {
  const other = new Database(path);
  other.exec('pragma journal_mode = wal; create table visits (url text)');
  const crashed = join(temporaryFolder(), 'other.db');
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, crashed + suffix);
  other.close();
  path = crashed;
  const before = ['', '-wal'].map((suffix) => readFileSync(path + suffix));
  expect(() => openSqliteStore(path)).toThrow(/database of another program \(it contains "visits"\)/);
  expect(['', '-wal'].map((suffix) => readFileSync(path + suffix))).toEqual(before);
});

test.each([
  ['a short text', 'hi'],
  ['a long text', 'not a database\n'.repeat(1000)],
  ['zeros', '\0'.repeat(8192)],
])('refuses %s as a database, and changes nothing', (_, content) => {
  writeFileSync(path, content);
  const before = filesBeside();
  expect(() => openSqliteStore(path)).toThrow('it is not an SQLite database');
  expect(filesBeside()).toEqual(before);
});

test.each<[string, () => unknown]>([
  ['an empty file', () => writeFileSync(path, '')],
  ['an empty database in WAL mode', () => runSql(path, 'pragma journal_mode = wal')],
  ['a database of version 0', () => seedVersion0(path, 5)],
  ['a database of version 4', () => copyFileSync('tests/store/sqlite/file/version-4.db', path)],
  [
    'a database without an application id, with a table that somebody added',
    async () => {
      await seedDatabase(`${path}.first`, 5);
      // A backup has no application id, and isn't in WAL mode.
      backUpDatabase(`${path}.first`, path);
      runSql(path, 'create table remarks (text)');
    },
  ],
])('opens %s', async (_, make) => {
  await make();
  const store = openSqliteStore(path);
  expect((await store.insert({ co2: 1, voc: 1 })).outcome).toBe('stored');
  await store.close();
});

const LOCK = /can't use .*readings\.db: its lock file .*readings\.db\.lock can't be locked: /;

test.runIf(process.geteuid?.() === 0)('names the lock file that another user owns', async () => {
  await seedDatabase(path, 3);
  chmodSync(dirname(dirname(path)), 0o755);
  chmodSync(dirname(path), 0o777);
  chmodSync(path, 0o666);
  for (const mode of [0o644, 0o600]) {
    chmodSync(`${path}.lock`, mode);
    const { stderr, status } = spawnSync(
      process.execPath,
      ['scripts/prune.js', '--before', '2001-01-01', '--yes'],
      { env: { ...process.env, DATABASE_PATH: path }, uid: 65_534, gid: 65_534, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(LOCK)]);
    expect(stderr).toContain('this user may not write it');
  }
});

test('names a lock file that is a folder or another file', async () => {
  await seedDatabase(path, 3);
  const free = join(temporaryFolder(), 'readings.db');
  copyFileSync(path, free);
  mkdirSync(`${free}.lock`);
  expect(() => openSqliteStore(free)).toThrow(LOCK);
  writeFileSync(`${path}.lock`, 'not a lock');
  expect(() => openSqliteStore(path)).toThrow(/can't be locked: it is not a lock file of airboard\./);
});
