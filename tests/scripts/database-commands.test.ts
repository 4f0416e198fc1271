import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backUpDatabase } from '../../app/store/sqlite/file/sqlite-copy.server.js';
import { openSqliteFile } from '../../app/store/sqlite/file/sqlite-file.server.js';
import { sqliteMetrics } from '../../app/store/sqlite/file/sqlite-metrics.server';
import { sqliteDirtyDays } from '../../app/store/sqlite/roll-ups/sqlite-dirty-days.server';
import { sqliteRawFrom } from '../../app/store/sqlite/roll-ups/sqlite-raw-removal.server';
import { sqliteSlots } from '../../app/store/sqlite/roll-ups/sqlite-slots.server';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { rollUpsOf } from '../contracts/history-contract';
import { runSql, seedDatabase, storeReadings } from '../support/readings/database';
import { THRESHOLDS } from '../support/readings/readings';
import { runScriptHere } from '../support/run-script';
import { temporaryFolder } from '../support/server/server';

let path: string;

beforeEach(() => {
  path = join(temporaryFolder(), 'readings.db');
});

afterEach(() => void vi.unstubAllEnvs());

/** Runs a script on the database of this test. */
function run(script: string, ...options: string[]) {
  const env = { ...process.env, DATABASE_PATH: path };
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.js`, ...options], {
    env,
    encoding: 'utf8',
  });
  return { exitCode: status, output: stderr + stdout };
}

/** Runs a script that ends early, in this process. */
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
    output: expect.stringContaining(`3010 readings of ${path} backed up to ${copy}, the newest from 20`),
  });
  expect(readdirSync(dirname(copy))).toEqual(['copy.db']);
  await store.insert({ co2: 1, voc: 1 });
  await store.close();
  expect(await countIn(copy)).toBe(3010);
});

test('refuses a backup over an existing file, without a database, or to a missing folder', async () => {
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

test('restores a backup over a crashed database, and keeps the old file with its write-ahead log', async () => {
  await seedDatabase(path, 250);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);

  // The files of an open store are the same as after a crash.
  const running = join(temporaryFolder(), 'running.db');
  const store = openSqliteStore(running);
  for (let i = 0; i < 20; i++) await store.insert({ co2: i, voc: i });
  path = join(temporaryFolder(), 'readings.db');
  for (const suffix of ['', '-wal', '.lock']) copyFileSync(running + suffix, path + suffix);
  await store.close();

  const { exitCode, output } = run('restore', copy);
  expect(output).toContain(`250 readings restored from ${copy} to ${path}`);
  expect(exitCode).toBe(0);
  const [, kept] = /the former database is kept in (.*)\n/.exec(output) ?? [];
  expect(await countIn(path)).toBe(250);
  expect(await countIn(kept as string)).toBe(20);
});

test('restores to a place without a database', async () => {
  const original = path;
  await seedDatabase(path, 7);
  backUpDatabase(original, `${original}.copy`);
  path = join(temporaryFolder(), 'another-machine', 'readings.db');
  expect(run('restore', `${original}.copy`).exitCode).toBe(0);
  expect(readdirSync(dirname(path)).sort()).toEqual(['readings.db', 'readings.db.lock']);
  expect(await countIn(path)).toBe(7);
});

test('refuses to restore while a server runs, and refuses a damaged file or another kind of file', async () => {
  await seedDatabase(path, 5000);
  const copy = `${path}.copy`;
  backUpDatabase(path, copy);
  const store = openSqliteStore(path);
  expect(run('restore', copy)).toEqual({
    exitCode: 1,
    output: expect.stringMatching(
      /another airboard .* Stop it first \(Ctrl-C, or sudo systemctl stop airboard\)\.$/m,
    ),
  });
  await store.close();

  writeSync(openSync(copy, 'r+'), Buffer.alloc(4096, 7), 0, 4096, 20 * 4096);
  for (const other of [copy, 'README.md']) {
    const { exitCode, output } = await runHere('restore', other);
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/^Nothing was restored: /)]);
    expect(output).toContain(other);
  }
  expect(await countIn(path)).toBe(5000);
  expect(readdirSync(dirname(path)).filter((name) => /restoring|db\.2/.test(name))).toEqual([]);
});

test('refuses to restore a file from a newer airboard, since the server could not start with it', async () => {
  await seedDatabase(path, 3);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);
  const database = new Database(copy);
  database.exec('pragma user_version = 999');
  database.close();
  const [before, newer] = [readFileSync(path), readFileSync(copy)];
  const { exitCode, output } = await runHere('restore', copy);
  expect(output).toMatch(
    /^Nothing was restored: .*copy\.db: its database version is 999, .* Update airboard$/,
  );
  expect([exitCode, readFileSync(path), readFileSync(copy)]).toEqual([1, before, newer]);
  expect(readdirSync(dirname(path)).filter((name) => /restoring|db\.2/.test(name))).toEqual([]);
});

test('names the file that it cannot restore, and the kind of file to give instead', async () => {
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

test('prunes readings from before a time only after a yes, and frees their space', async () => {
  // In a separate process, since an open connection would keep the space.
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

/** Stores a reading a minute for each sensor, in two days from noon on. */
const storeTwoDays = (...sensors: string[]) =>
  storeReadings(
    path,
    sensors.flatMap((sensor, n) =>
      Array.from({ length: 2880 }, (_, i) => ({
        sensor,
        created_at: new Date(Date.UTC(2026, 0, 1, 12) + i * 60_000).toISOString(),
        co2: 400 + n,
        voc: 100,
      })),
    ),
  );

/** Returns the number of readings on each day of a sensor's history, as a server would compute it. */
function slotsOf(sensor: string) {
  const { database, close } = openSqliteFile(path);
  const metrics = sqliteMetrics(database);
  const stale = sqliteDirtyDays(database, metrics, sqliteSlots(database, metrics), sqliteRawFrom(database));
  const key = Number(database.prepare('select id from sensors where name = ?').pluck().all(sensor)[0]);
  for (let day = stale.firstUnbuilt(key, 0, 4e9); day; day = stale.firstUnbuilt(key, 0, 4e9))
    stale.build(day);
  const days = database
    .prepare(
      "select sum(readings), cast(strftime('%Y%m%d', start, 'unixepoch') as integer) as day from slots where sensor = ? group by day order by day",
    )
    .raw()
    .all(key);
  close();
  return days;
}

test('prunes the readings of a sensor in a span or in total, and lists the sensors', async () => {
  await storeTwoDays('Attic', 'Küche');
  const missing = await runHere('prune', '--sensor', 'attic', '--yes');
  expect(missing).toEqual({
    exitCode: 1,
    output: 'Nothing was deleted: there is no sensor "attic". The database has "Attic", "Küche".',
  });
  const span = ['--from', '2026-01-01T23:00:00Z', '--to', '2026-01-03T01:00:00+01:00'];
  expect(run('prune', '--sensor', 'Attic', ...span, '--yes')).toEqual({
    exitCode: 0,
    output: expect.stringContaining(
      `1500 of 5760 readings in ${path} are of "Attic" from 2026-01-01T23:00:00Z on and`,
    ),
  });
  expect(slotsOf('Attic')).toEqual([
    [660, 2026_01_01],
    [720, 2026_01_03],
  ]);
  expect(slotsOf('Küche')).toHaveLength(3);
  expect(run('prune', '--sensor', 'Attic', '--yes').output).toContain('1380 readings deleted.');
  expect(await countIn(path)).toBe(2880);
});

/** Returns the numbers of readings from `slotsOf`. */
const countsOf = (sensor: string) => (slotsOf(sensor) as [number, number][]).map(([readings]) => readings);

test('prunes slots whose readings were removed, and renames a sensor with them', async () => {
  await storeTwoDays('Attic', 'Küche');
  const store = openSqliteStore(path);
  // Computes the slots.
  await rollUpsOf(store, { sensor: 'Attic', from: 0, to: 4e9, step: 3600, thresholds: THRESHOLDS });
  for await (const _ of store.removeRaw({ before: new Map([['Attic', Date.UTC(2026, 0, 3) / 1000]]) }));
  await store.close();
  expect(await countIn(path)).toBe(2880 + 721);
  expect(countsOf('Attic')).toEqual([720, 1440, 720]);
  const span = ['--from', '2026-01-01T23:00:00Z', '--to', '2026-01-02T01:02:00Z', '--yes'];
  expect(run('prune', '--sensor', 'Attic', ...span).output).toContain(
    '24 five-minute slots of removed readings',
  );
  expect(countsOf('Attic')).toEqual([660, 1380, 720]);
  expect(run('rename', 'Küche', 'Attic')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('five-minute slots of removed readings'),
  });
  run('rename', 'Attic', 'Loft');
  expect(countsOf('Loft')).toEqual([660, 1380, 720]);
  run('prune', '--sensor', 'Loft', '--yes');
  expect(slotsOf('Küche')).toHaveLength(3);
});

/** Returns the notes, then the days of findings, each after the name of its sensor. */
function roomIn(file: string): unknown[] {
  const database = new Database(file, { readonly: true });
  const select = (columns: string, order: string) =>
    database.prepare(
      `select name || ' ' || ${columns} join sensors on sensors.id = sensor order by ${order}`,
    );
  const rows = [
    ...select('text from notes', 'begins_at').pluck().all(),
    ...select("((day - 1767225600) / 86400) || ' ' || findings from room_days", 'name, day').pluck().all(),
  ];
  database.close();
  return rows;
}

/** Stores notes about three days from 2026-01-01 on, and findings about each. */
async function storeRoom(...sensors: string[]): Promise<void> {
  const store = openSqliteStore(path);
  for (const sensor of sensors) {
    const note = (from: string, to: string | null, text: string) =>
      store.notes.add({ sensor, from, to, text });
    await note('2026-01-01T12:00:00.000Z', null, 'candles');
    await note('2026-01-01T20:00:00.000Z', '2026-01-02T06:00:00.000Z', 'night');
    await note('2026-01-05T00:00:00.000Z', null, 'later');
    await store.room.keep(
      [0, 1, 2].map((n) => ({ sensor, day: 1_767_225_600 + n * 86_400, key: 'k', findings: '{}' })),
    );
  }
  await store.close();
}

test("prunes a span's notes and findings with its readings, and all of a sensor's with its last reading", async () => {
  await storeTwoDays('Attic', 'Küche');
  await storeRoom('Attic', 'Küche');
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);
  const before = ['--before', '2026-01-02T03:00:00Z', '--yes'];
  expect(run('prune', '--sensor', 'Attic', ...before).output).toContain(' readings and 1 note deleted.');
  const left = ['Attic night', 'Küche night', 'Attic later', 'Küche later'];
  const days = ['Küche 0 {}', 'Küche 1 {}', 'Küche 2 {}'];
  expect(roomIn(path)).toEqual(['Küche candles', ...left, 'Attic 1 {}', 'Attic 2 {}', ...days]);
  const allReadings = ['--before', '2026-01-04', '--yes'];
  expect(run('prune', '--sensor', 'Attic', ...allReadings).output).toContain(
    ' readings and 2 notes deleted.',
  );
  expect(roomIn(path)).toEqual(['Küche candles', 'Küche night', 'Küche later', ...days]);
  expect(run('prune', ...before).output).toContain(' readings and 1 note deleted.');
  expect(roomIn(path)).toEqual(['Küche night', 'Küche later', ...days.slice(1)]);

  expect(run('restore', copy).exitCode).toBe(0);
  expect(roomIn(path)).toHaveLength(12);
});

test('renames a sensor with its notes and findings, or moves its notes to another one', async () => {
  await storeTwoDays('kitchn', 'Attic');
  await storeRoom('kitchn');
  run('rename', 'kitchn', 'Küche');
  const days = ['Küche 0 {}', 'Küche 1 {}', 'Küche 2 {}'];
  expect(roomIn(path)).toEqual(['Küche candles', 'Küche night', 'Küche later', ...days]);
  run('rename', 'Küche', 'Attic');
  expect(roomIn(path)).toEqual(['Attic candles', 'Attic night', 'Attic later']);
});

test.each([
  ['Ｋitchen', 'looks the same as the sensor "Kitchen"'],
  ['Office\ufe0f', 'contains U+FE0F, which can\'t be seen: write "Office"'],
  ['\u3164', 'contains U+3164'],
  [`Kitchen\u001b`, 'must have at most 64 characters and no control characters'],
])('refuses to rename a sensor to %j', async (name, fault) => {
  await storeReadings(path, [
    { co2: 1, voc: 1, created_at: '2026-01-02T10:00:00Z', sensor: 'Kitchen' },
    { co2: 1, voc: 1, created_at: '2026-01-02T10:00:00Z', sensor: 'old' },
  ]);
  const { exitCode, output } = await runHere('rename', 'old', name);
  expect(exitCode).not.toBe(0);
  expect(output).toContain(fault);
});

test('renames a sensor, or moves its readings to another one, with the history', async () => {
  await storeTwoDays('kitchn');
  const before = slotsOf('kitchn');
  expect(run('rename', 'kitchn', 'Küche').output).toContain('2880 readings of "kitchn" in ');
  expect(slotsOf('Küche')).toEqual(before);

  await storeReadings(path, [
    { sensor: 'new', created_at: '2026-01-01T12:00:00.000Z', co2: 1, voc: 1 },
    { sensor: 'new', created_at: '2026-01-05T12:00:00.000Z', co2: 1, voc: 1 },
  ]);
  const { exitCode, output } = run('rename', 'new', 'Küche');
  expect([exitCode, output]).toEqual([0, expect.stringContaining('1 reading of "new" in ')]);
  expect(output).toContain('1 reading stays with "new", because "Küche" has others at their times.');
  expect(slotsOf('Küche')).toEqual([...before, [1, 2026_01_05]]);
  expect(await runHere('rename', 'kitchn', 'Küche')).toEqual({
    exitCode: 1,
    output: 'Nothing was renamed: there is no sensor "kitchn". The database has "Küche", "new".',
  });
});

test.each([
  [
    'cut off',
    (file: string) => truncateSync(file, 100_000),
    'it is damaged (database disk image is malformed)',
  ],
  [
    'overwritten',
    (file: string) => {
      writeFileSync(file, 'not a database'.repeat(1000));
      rmSync(`${file}-wal`, { force: true });
    },
    'it is not an SQLite database',
  ],
])('advises to restore a backup over a file that was %s', async (_, damage, words) => {
  await seedDatabase(path, 5000);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);
  damage(path);
  const commands = [
    ['backup', `${copy}.2`],
    ['prune', '--before', '2030-01-01', '--yes'],
    ['rename', 'a', 'b'],
    ['seed', '--readings', '3'],
  ];
  for (const [command = '', ...options] of commands) {
    const { exitCode, output } = await runHere(command, ...options);
    expect([command, exitCode, output]).toEqual([command, 1, expect.stringContaining(words)]);
    expect(output).toContain(
      'Stop the server and restore a backup: npm run restore -- FILE. This file is kept beside it.',
    );
  }
  expect(run('restore', copy).exitCode).toBe(0);
  expect(await countIn(path)).toBe(5000);
});

test.each([
  ['trigger evil', 'create trigger evil after insert on data begin delete from data where id < new.id; end'],
  [
    'trigger data_deleted',
    'drop trigger data_deleted; create trigger data_deleted after delete on data begin select 1; end',
  ],
  ['view sensor_list', 'create view sensor_list as select * from sensors'],
  ['table remarks', 'create table remarks (text)'],
])('refuses to restore a file with a foreign %s', async (name, sql) => {
  await seedDatabase(path, 3);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(path, copy);
  runSql(copy, sql);
  const { exitCode, output } = await runHere('restore', copy);
  expect([exitCode, output]).toEqual([
    1,
    expect.stringContaining(`it contains the ${name}, which airboard didn't make.`),
  ]);
  expect(await countIn(path)).toBe(3);
});

test.each([
  ['100,000 characters', 'x'.repeat(100_000), 'has more than 64 characters'],
  ['a control character', 'Kitchen\u001b[2J', 'has a control character'],
  ['a character after a NUL', `Kitchen\u0000${'x'.repeat(300)}`, 'has more than 64 characters'],
])('refuses to restore a file with a sensor name of %s', async (_, name, fault) => {
  await seedDatabase(path, 3);
  const copy = join(temporaryFolder(), 'copy.db');
  const hex = Buffer.from(name).toString('hex');
  for (const sql of [
    `insert into sensors (name) values (cast(x'${hex}' as text))`,
    `insert into alert_sensors (sensor, air, told) values (cast(x'${hex}' as text), '{}', 'good')`,
  ]) {
    rmSync(copy, { force: true });
    backUpDatabase(path, copy);
    runSql(copy, sql);
    const { exitCode, output } = await runHere('restore', copy);
    expect([exitCode, output]).toEqual([
      1,
      expect.stringMatching(/^Nothing was restored: .*the name of a sensor/),
    ]);
    expect(output).toContain(fault);
    expect(output).not.toContain('\u001b');
    expect(output.length).toBeLessThan(500);
  }
  expect(await countIn(path)).toBe(3);
});

test('restores a file with a name that an older airboard accepted', async () => {
  await seedDatabase(path, 3);
  runSql(path, "insert into sensors (name) values ('Kitchen' || char(0xfe0f))");
  backUpDatabase(path, `${path}.copy`);
  expect(run('restore', `${path}.copy`)).toMatchObject({ exitCode: 0 });
});

test('only the owner can read the database, its logs and its copies, whatever their modes were', async () => {
  const modes = () =>
    Object.fromEntries(
      // The lock's journal lasts while the lock is held.
      readdirSync(dirname(path))
        .filter((name) => !name.endsWith('journal'))
        .map((name) => [
          name.replace(/db\.2.*?Z/, 'db.kept'),
          (statSync(join(dirname(path), name)).mode & 0o777).toString(8),
        ]),
    );
  const before = process.umask(0o022);
  try {
    const store = openSqliteStore(path);
    await store.insert({ co2: 1, voc: 1 });
    const all = ['readings.db', 'readings.db-shm', 'readings.db-wal', 'readings.db.lock'];
    const isPrivate = (names: string[]) => Object.fromEntries(names.map((name) => [name, '600']));
    expect(modes()).toEqual(isPrivate(all));
    await store.close();

    for (const file of [path, `${path}.lock`]) chmodSync(file, 0o644);
    const again = openSqliteStore(path);
    await again.insert({ co2: 1, voc: 1 });
    expect(modes()).toEqual(isPrivate(all));
    await again.close();

    chmodSync(path, 0o644);
    backUpDatabase(path, `${path}.copy`);
    chmodSync(`${path}.lock`, 0o644);
    expect(modes()).toMatchObject({ 'readings.db.copy': '600' });
    expect(run('restore', `${path}.copy`)).toMatchObject({ exitCode: 0 });
    const files = ['readings.db', 'readings.db.copy', 'readings.db.kept', 'readings.db.lock'];
    expect(modes()).toEqual(isPrivate(files));
  } finally {
    process.umask(before);
  }
});

test('restores files of older versions, and a file with a foreign index', async () => {
  const copy = join(temporaryFolder(), 'copy.db');
  copyFileSync('tests/store/sqlite/file/version-0.db', copy);
  expect(run('restore', copy)).toMatchObject({ exitCode: 0 });
  // The first start of a server upgrades it to the newest schema.
  expect(await countIn(path)).toBe(12);
  backUpDatabase(path, `${copy}.2`);
  runSql(`${copy}.2`, 'create index own on data (co2)');
  expect(run('restore', `${copy}.2`)).toMatchObject({ exitCode: 0 });
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
    if (script === 'prune' && options[1]) expect(output).toContain(`, not "${options[1]}".`);
  }
  expect(existsSync(path)).toBe(false);
});

test('refuses a backup while the write-ahead log belongs to another file, and changes neither', async () => {
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
  expect(run('restore', copy)).toMatchObject({ exitCode: 0 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.runIf(process.geteuid?.() === 0)(
  'gives a file restored by root to the owner of the folder or the previous file',
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
