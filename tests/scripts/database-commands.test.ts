import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backUpDatabase } from '../../app/store/sqlite/file/sqlite-copy.server.js';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { seedDatabase } from '../support/readings/database';
import { runScriptHere } from '../support/run-script';
import { temporaryFolder } from '../support/server/server';

let path: string;

beforeEach(() => {
  path = join(temporaryFolder(), 'readings.db');
});

afterEach(() => void vi.unstubAllEnvs());

/** Runs a script with the database of this test. */
function run(script: string, ...options: string[]) {
  const env = { ...process.env, DATABASE_PATH: path };
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.js`, ...options], {
    env,
    encoding: 'utf8',
  });
  return { exitCode: status, output: stderr + stdout };
}

/** Runs a script that ends early in this process. */
function runHere(script: string, ...options: string[]) {
  vi.stubEnv('DATABASE_PATH', path);
  return runScriptHere(script, ...options);
}

/** Counts the readings that a server would find. */
async function countIn(file: string): Promise<number> {
  const store = openSqliteStore(file);
  const count = await store.count(100_000);
  await store.close();
  return count;
}

test('backs up every reading of a database in use, and leaves no other file', async () => {
  await seedDatabase(path, 3000);
  const store = openSqliteStore(path);
  for (let i = 0; i < 10; i++) await store.insert({ co2: i, voc: i });
  const copy = join(temporaryFolder(), 'copy.db');
  expect(run('backup', copy)).toEqual({
    exitCode: 0,
    output: expect.stringContaining(`3010 readings backed up to ${copy}, the newest from 20`),
  });
  expect(readdirSync(dirname(copy))).toEqual(['copy.db']);
  await store.insert({ co2: 1, voc: 1 });
  await store.close();
  expect(await countIn(copy)).toBe(3010);
});

test('backs up nothing over an existing file, without a database, or to a folder that is missing', async () => {
  expect(await runHere('backup', `${path}.copy`)).toEqual({
    exitCode: 1,
    output: expect.stringContaining(`no database at ${path}`),
  });
  expect(existsSync(path)).toBe(false);
  await seedDatabase(path, 3);
  writeFileSync(`${path}.copy`, 'mine');
  expect(await runHere('backup', `${path}.copy`)).toEqual({
    exitCode: 1,
    output: expect.stringContaining('exists already'),
  });
  expect(await runHere('backup', '/nowhere/copy.db')).toEqual({
    exitCode: 1,
    output: expect.stringContaining('No backup was made: there is no folder /nowhere.'),
  });
});

test('restores a backup over a crashed database, and keeps what was there with its log', async () => {
  await seedDatabase(path, 250);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);

  // The files of an open store are what a crash leaves.
  const running = join(temporaryFolder(), 'running.db');
  const store = openSqliteStore(running);
  for (let i = 0; i < 20; i++) await store.insert({ co2: i, voc: i });
  path = join(temporaryFolder(), 'readings.db');
  for (const suffix of ['', '-wal', '.lock']) copyFileSync(running + suffix, path + suffix);
  await store.close();

  const { exitCode, output } = run('restore', copy);
  expect(output).toContain(`250 readings restored from ${copy}`);
  expect(exitCode).toBe(0);
  const [, kept] = /the former database is kept in (.*)\n/.exec(output) ?? [];
  expect(await countIn(path)).toBe(250);
  expect(await countIn(kept as string)).toBe(20);
});

test('restores where there was no database yet', async () => {
  const original = path;
  await seedDatabase(path, 7);
  backUpDatabase(original, `${original}.copy`);
  path = join(temporaryFolder(), 'another-machine', 'readings.db');
  expect(run('restore', `${original}.copy`).exitCode).toBe(0);
  expect(readdirSync(dirname(path)).sort()).toEqual(['readings.db', 'readings.db.lock']);
  expect(await countIn(path)).toBe(7);
});

test('restores nothing while a server runs, and nothing that is damaged or no database', async () => {
  await seedDatabase(path, 5000);
  const copy = `${path}.copy`;
  backUpDatabase(path, copy);
  const store = openSqliteStore(path);
  expect(run('restore', copy)).toEqual({
    exitCode: 1,
    output: expect.stringMatching(/another airboard .* Stop it/),
  });
  await store.close();

  writeSync(openSync(copy, 'r+'), Buffer.alloc(4096, 7), 0, 4096, 20 * 4096);
  for (const other of [copy, 'README.md', '/nowhere/copy.db']) {
    const { exitCode, output } = await runHere('restore', other);
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/^Nothing was restored: /)]);
    expect(output).toContain(other);
  }
  expect(await countIn(path)).toBe(5000);
  expect(readdirSync(dirname(path)).filter((name) => /restoring|db\.2/.test(name))).toEqual([]);
});

test('restores nothing that a newer airboard has made, with which the server could not start', async () => {
  await seedDatabase(path, 3);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);
  const database = new Database(copy);
  database.exec('pragma user_version = 999');
  database.close();
  const [before, newer] = [readFileSync(path), readFileSync(copy)];
  const { exitCode, output } = await runHere('restore', copy);
  expect(output).toMatch(/^Nothing was restored: .*copy\.db: it is of version 999 .* Update airboard$/);
  expect([exitCode, readFileSync(path), readFileSync(copy)]).toEqual([1, before, newer]);
  expect(readdirSync(dirname(path)).filter((name) => /restoring|db\.2/.test(name))).toEqual([]);
});

test('names the file that it can not restore, and says what to give instead', async () => {
  const folder = temporaryFolder();
  const files = {
    'history.csv': `time,co2,voc\n${'2026-01-31T10:00:00Z,400,100\n'.repeat(50)}`,
    'empty.db': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  expect((await runHere('restore', join(folder, 'history.csv'))).output).toBe(
    `Nothing was restored: ${folder}/history.csv is not an SQLite database. ` +
      'Give a file that npm run backup has made. The readings of a CSV file are added by npm run import.',
  );
  expect((await runHere('restore', join(folder, 'empty.db'))).output).toMatch(
    /^Nothing was restored: .*\/empty\.db has no readings\. Give a file that npm run backup has made/,
  );
});

test('prunes readings from before a time only when told so, and gives the space back', async () => {
  // In a process of its own: an open connection would keep the space.
  expect(run('seed', '--readings', '20000').exitCode).toBe(0);
  const size = statSync(path).size;
  const before = new Date(Date.now() - 15_000 * 5000).toISOString().replace(/\.\d+/, '');
  expect(run('prune', '--before', before)).toEqual({
    exitCode: 1,
    output: expect.stringMatching(/1(4999|500\d) of 20000 readings in .* are from before /),
  });
  const { exitCode, output } = run('prune', '--before', before, '--yes');
  expect(exitCode).toBe(0);
  expect(output).toMatch(/1(4999|500\d) readings deleted\.\n\d\.\d MiB given back/);
  expect(statSync(path).size).toBeLessThan(size / 2);
  expect(run('prune', '--before', before).output).toContain('Nothing to delete.');

  const store = openSqliteStore(path);
  const [oldest] = await store.newest(100_000);
  expect(oldest?.id).toBeGreaterThan(14_998);
  expect(Date.parse(oldest?.created_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before));
  expect((await store.insert({ co2: 1, voc: 1 })).reading.id).toBe(20_001);
  expect(await runHere('prune', '--before', before, '--yes')).toEqual({
    exitCode: 1,
    output: expect.stringContaining('another airboard'),
  });
  await store.close();
});

test('prints the usage and exits with 2 for invalid arguments', async () => {
  for (const [script, ...options] of [
    ['backup'],
    ['backup', 'a', 'b'],
    ['restore', '--force', 'a'],
    ['prune'],
    ['prune', '--before', 'yesterday'],
    ['prune', '--before', '2026-02-30'],
    ['prune', '--before', '2026-13-01'],
  ] as [string, ...string[]][]) {
    const { exitCode, output } = await runHere(script, ...options);
    expect(output).toContain(`usage: npm run ${script} -- `);
    expect(exitCode).toBe(2);
    if (script === 'prune' && options[1]) expect(output).toContain(`, not "${options[1]}"\n\nusage: `);
  }
  expect(existsSync(path)).toBe(false);
});

test('backs up nothing while the log beside the database is that of another file, and changes neither', async () => {
  await seedDatabase(path, 250);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);
  const store = openSqliteStore(path);
  for (let i = 0; i < 20; i++) await store.insert({ co2: i, voc: i });
  const crashed = join(temporaryFolder(), 'readings.db');
  copyFileSync(copy, crashed);
  for (const suffix of ['-wal', '.lock']) copyFileSync(path + suffix, crashed + suffix);
  await store.close();

  path = crashed;
  const { exitCode, output } = run('backup', `${crashed}.copy`);
  expect([exitCode, output]).toEqual([1, expect.stringContaining('readings.db-wal is not the log of')]);
  expect(readFileSync(crashed)).toEqual(readFileSync(copy));
  expect(existsSync(`${crashed}.copy`)).toBe(false);
});

test('restores a read-only copy as a file that the server can write', async () => {
  await seedDatabase(path, 3);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);
  chmodSync(copy, 0o400);
  const { mode } = statSync(path);
  expect(run('restore', copy)).toMatchObject({ exitCode: 0 });
  expect(statSync(path).mode).toBe(mode);
});

test.runIf(process.geteuid?.() === 0)(
  'gives what root restores to the user of the folder or the file',
  async () => {
    await seedDatabase(path, 3);
    const copy = join(temporaryFolder(), 'copy.db');
    backUpDatabase(path, copy);
    path = join(temporaryFolder(), 'readings.db');
    chownSync(dirname(path), 65_534, 65_534);
    for (let time = 0; time < 2; time++) {
      expect(run('restore', copy)).toMatchObject({ exitCode: 0 });
      expect([path, `${path}.lock`].map((file) => statSync(file).uid)).toEqual([65_534, 65_534]);
    }
  },
);
