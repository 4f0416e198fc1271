import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reading } from '../../../../app/readings/reading';
import { openSqliteFile } from '../../../../app/store/sqlite/file/sqlite-file.server.js';
import { createSchema, foreignSchema } from '../../../../app/store/sqlite/file/sqlite-migrations.server.js';
import { addMetrics } from '../../../../app/store/sqlite/schema/sqlite-roll-up-schema.server.js';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { hashOf, SCHEMA_0, seedVersion0 } from '../../../support/readings/database';
import { temporaryFolder } from '../../../support/server/server';

/** A file from before sensors, with some times changed by hand. */
const VERSION_0 = join(import.meta.dirname, 'version-0.db');

/** The readings of that file, oldest first. Those of the same millisecond are a microsecond apart. */
const READINGS: Reading[] = [
  { id: 6, co2: 500, voc: 200, created_at: '2026-01-01T00:00:00.000Z' },
  { id: 7, co2: 501, voc: 201, created_at: '2026-01-01T00:00:00.000001Z' },
  { id: 11, co2: 505, voc: 205, created_at: '2026-01-01T00:00:00.000002Z' },
  { id: 8, co2: 502, voc: 202, created_at: '2026-01-01T00:00:00.500Z' },
  { id: 9, co2: 503, voc: 203, created_at: '2026-01-01T00:00:00.999999Z' },
  { id: 10, co2: 504, voc: 204, created_at: '2026-01-01T00:00:01.000Z' },
  { id: 12, co2: 506, voc: 206, created_at: '2026-01-02T09:59:59.999Z' },
  { id: 1, co2: 415, voc: 120, created_at: '2026-01-02T10:00:00.000Z' },
  { id: 2, co2: 416.25, voc: 121, created_at: '2026-01-02T10:00:15.123Z' },
  { id: 3, co2: 417, voc: 122, created_at: '2026-01-02T10:00:15.123001Z' },
  { id: 4, co2: -3, voc: 0.1, created_at: '2026-01-02T10:00:15.123002Z' },
  { id: 5, co2: 1.7976931348623157e308, voc: 5e-324, created_at: '2026-01-02T10:00:15.124Z' },
];

let path: string;
let logged: string[];

beforeEach(() => {
  path = join(temporaryFolder(), 'readings.db');
  logged = [];
  vi.spyOn(console, 'log').mockImplementation((text) => logged.push(text));
});

afterEach(() => vi.restoreAllMocks());

function runSql(sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

function query(sql: string): unknown[] {
  const database = new Database(path, { readonly: true });
  const rows = database.prepare(sql).raw().all();
  database.close();
  return rows;
}

/** Runs a script on the database of this test. */
function run(script: string, ...options: string[]): string {
  const env = { ...process.env, DATABASE_PATH: path };
  const { stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.js`, ...options], {
    env,
    encoding: 'utf8',
  });
  return stderr + stdout;
}

test('upgrades a file of version 0 without losing a reading, and logs the upgrade once', async () => {
  copyFileSync(VERSION_0, path);
  let store = openSqliteStore(path);
  expect(await store.newest(100)).toEqual(READINGS);
  expect(await store.sensors()).toEqual([
    {
      name: '',
      newest: READINGS.at(-1),
      first_heard: READINGS[0]?.created_at,
      last_heard: READINGS.at(-1)?.created_at,
    },
  ]);
  // The highest assigned id belongs to a deleted reading.
  expect((await store.insert({ co2: 1, voc: 1 })).reading.id).toBe(14);
  await store.close();
  expect(logged).toEqual([
    expect.stringMatching(
      `^\\[airboard\\] ${path}: upgrading 12 readings from database version 0 to 12, which takes about 1 s`,
    ),
    expect.stringMatching(`^\\[airboard\\] ${path} was upgraded to database version 12 in \\d+\\.\\d s$`),
  ]);
  store = openSqliteStore(path);
  expect(await store.count(100)).toBe(13);
  await store.close();
  expect(logged).toHaveLength(2);
});

/** A file from before metrics other than CO2 and VOC. */
const VERSION_4 = join(import.meta.dirname, 'version-4.db');

test('opens a file of version 4 with its readings, history and transitions', async () => {
  copyFileSync(VERSION_4, path);
  const rows = 'select data.id, name, created_at, co2, voc from data join sensors on sensors.id = sensor';
  const contents = [rows, 'select * from slots', 'select sensor, at, state from alert_transitions'];
  const before = contents.map(query);
  expect(before.map((found) => found.length)).toEqual([301, 15, 1]);
  const store = openSqliteStore(path);
  expect(contents.map(query)).toEqual(before);
  expect(await store.count(1000)).toBe(301);
  expect((await store.newest(1000)).map(({ id }) => id)).toEqual(
    query('select id from data order by created_at, id').flat(),
  );
  expect(query("select name from sqlite_master where type = 'index' and tbl_name = 'data'")).toEqual([
    ['data_reading'],
  ]);
  expect(query('select day / 86400, sensor from sensor_days')).toEqual(
    query('select distinct created_at / 86400000000, sensor from data order by 1, 2'),
  );
  expect((await store.insert({ co2: 1, voc: 1, created_at: '2026-01-09T00:00:00Z' })).reading.id).toBe(302);
  await store.close();
  expect(query('pragma integrity_check')).toEqual([['ok']]);
});

test('opens a file of version 5 with many readings without rewriting them', async () => {
  const old = new Database(path);
  createSchema(old, 5);
  old.exec(`insert into sensors (name) values (''); begin;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)
    insert into data (sensor, created_at, co2, voc) select 1, i * 15000000, i, i from n; commit`);
  old.close();
  const before = readFileSync(path);
  openSqliteFile(path).close();
  const after = readFileSync(path);
  expect(
    query(
      "select name from sqlite_master where name in ('notes', 'room_days', 'sensor_settings', 'sensor_aliases', 'deletions', 'deleted_data')",
    ),
  ).toHaveLength(6);
  const pages = Array.from({ length: before.length / 4096 }, (_, n) => n * 4096);
  const changed = pages.filter(
    (start) => before.compare(after, start, start + 4096, start, start + 4096) !== 0,
  );
  expect(pages.length).toBeGreaterThan(500);
  expect(changed.length).toBeLessThan(20);
});

test('a migrated file has the schema of a new file, and creating a new file logs nothing', async () => {
  const schemaOf = 'select type, name, sql from sqlite_master order by name';
  await openSqliteStore(path).close();
  const schema = query(schemaOf);
  expect(logged).toEqual([]);
  path = `${path}.old`;
  copyFileSync(VERSION_0, path);
  expect(query("select sql from sqlite_master where name like 'data%' order by name")).toEqual(
    SCHEMA_0.map((sql) => [sql]),
  );
  await openSqliteStore(path).close();
  expect(query(schemaOf)).toEqual(schema);
  expect(query('pragma foreign_key_check; ')).toEqual([]);
  expect(query('pragma integrity_check')).toEqual([['ok']]);
});

test('shows sensor names, and times as in the API, to the sqlite3 shell', async () => {
  copyFileSync(VERSION_0, path);
  const store = openSqliteStore(path);
  const added = { co2: null, voc: 7, created_at: '2026-02-01T00:00:00.000070Z', sensor: 'Bedroom' };
  await store.insert(added);
  await store.close();
  const shown = query('select id, sensor, created_at, co2, voc from readings order by created_at');
  expect(shown).toHaveLength(READINGS.length + 1);
  const all = [...READINGS, { ...added, id: 14 }];
  expect(shown).toEqual(
    expect.arrayContaining(
      all.map(({ id, sensor = '', created_at, co2, voc }: Reading) => [id, sensor, created_at, co2, voc]),
    ),
  );
});

test('gives many readings of one millisecond separate times, if necessary in the next millisecond', async () => {
  seedVersion0(path, 10);
  runSql(`delete from data; with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
    insert into data (co2, voc, created_at)
    select i, i, iif(i <= 1200, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z') from n`);
  const store = openSqliteStore(path);
  const times = (await store.newest(2000)).map(({ co2, created_at }) => [co2, created_at]);
  const expected = Array.from({ length: 1500 }, (_, i) => {
    const decimals = i % 1000 === 0 ? String(i / 1000).padStart(3, '0') : String(i).padStart(6, '0');
    return [i + 1, `2026-01-01T00:00:00.${decimals}Z`];
  });
  expect(times).toEqual(expected);
  await store.close();
});

test.each(['yesterday', '', 'now', '1767225600', '2026-13-01T00:00:00Z'])(
  'refuses the time %j, names its reading, and changes nothing',
  (time) => {
    copyFileSync(VERSION_0, path);
    runSql(`update data set created_at = '${time}' where id = 7`);
    const before = hashOf(path);
    expect(() => openSqliteStore(path)).toThrow(
      new RegExp(`the time of reading 7 can't be read: "${time}". Nothing was changed. .* where id = 7\\.$`),
    );
    expect(hashOf(path)).toBe(before);
  },
);

test('refuses a file of a newer version, with both versions and advice, and changes nothing', async () => {
  await openSqliteStore(path).close();
  runSql('alter table data add column humidity real; pragma user_version = 13');
  const before = hashOf(path);
  expect(() => openSqliteStore(path)).toThrow(
    new RegExp(
      'readings\\.db: its database version is 13, but this airboard supports versions only up to 12\\. Update airboard, ' +
        'restore a backup that it made \\(npm run restore -- FILE\\), or set DATABASE_PATH to another file\\.$',
    ),
  );
  expect(hashOf(path)).toBe(before);
});

test.each([
  'create table data (something text)',
  'create table data (id integer primary key, temperature real)',
  'create table data (id integer primary key, created_at text, humidity real)',
])('refuses a table of the same name from another program, and changes nothing: %s', (sql) => {
  runSql(sql);
  const before = hashOf(path);
  expect(() => openSqliteStore(path)).toThrow(/it is a database of another program \(it contains "data"\)/);
  expect(hashOf(path)).toBe(before);
});

test('leaves a file unchanged if the disk has no room for its migration', () => {
  seedVersion0(path, 20_000);
  const before = hashOf(path);
  // A quarter of the file, in units of 512 bytes. The write-ahead log would need half.
  const blocks = Math.floor(statSync(path).size / 512 / 4);
  const open = `import('./app/store/sqlite/file/sqlite-file.server.js').then((file) => file.openSqliteFile(process.argv[1]))`;
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -f ${blocks} && exec "$0" -e "${open}" "$1"`, process.execPath, path],
    { encoding: 'utf8' },
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain(`can't keep readings in ${path}`);
  expect(hashOf(path)).toBe(before);
});

test('a file of version 0 can be backed up, restored, added to and pruned', async () => {
  seedVersion0(path, 3000);
  const original = hashOf(path);
  expect(run('backup', `${path}.copy`)).toMatch(/^3000 readings of .* backed up to /m);
  expect(run('backup', `${path}.copy2`)).toMatch(/the newest from 2023-11-15T10:4\d:\d\d\.000Z$/m);
  expect(hashOf(path)).toBe(original);
  expect(run('restore', `${path}.copy`)).toContain('3000 readings restored');
  expect(hashOf(path)).toBe(original);
  expect(run('seed', '--readings', '50', '--add', '--sensor', 'Bedroom')).toContain('50 readings stored');
  expect(run('prune', '--before', '2024-01-01', '--yes')).toContain('3000 readings deleted.');
  const store = openSqliteStore(path);
  expect((await store.sensors()).map(({ name }) => name)).toEqual(['Bedroom']);
  expect(await store.count(5000)).toBe(50);
  await store.close();

  path = `${path}.copy2`;
  expect(run('prune', '--before', '2023-11-15', '--yes')).toMatch(
    /upgrading 3000 readings from database version 0[\s\S]* readings deleted\./,
  );
});

test('a file has the schema of its version, whichever metrics it got before or after an upgrade', async () => {
  const database = new Database(path);
  createSchema(database, 9);
  addMetrics(database, ['temperature']);
  expect(foreignSchema(database)).toBeNull();
  database.close();
  const store = openSqliteStore(path);
  await store.insert({ co2: 400, voc: null, humidity: 50 });
  await store.close();
  const upgraded = new Database(path, { readonly: true });
  expect(foreignSchema(upgraded)).toBeNull();
  upgraded.close();
});
