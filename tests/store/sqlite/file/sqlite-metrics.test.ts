import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, expect, test, vi } from 'vitest';
import { foreignSchema } from '../../../../app/store/sqlite/file/sqlite-migrations.server.js';
import { addMetrics, fieldsOf } from '../../../../app/store/sqlite/schema/sqlite-roll-up-schema.server.js';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../../support/server/server';

let path: string;
let database: Database.Database;

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  path = join(temporaryFolder(), 'readings.db');
  copyFileSync(join(import.meta.dirname, 'version-4.db'), path);
  await openSqliteStore(path).close();
  database = new Database(path);
  return () => database.close();
});

const query = (sql: string) => database.prepare(sql).raw().all();

test('adds the columns of a metric to an old file without changing readings or roll-ups', () => {
  const [readings, slots] = [query('select * from data'), query('select * from slots')];
  database.exec('begin immediate');
  addMetrics(database, ['radon', 'pm25']);
  database.exec('commit');
  expect(fieldsOf(database)).toEqual(['co2', 'voc', 'radon', 'pm25']);
  expect(query('select * from data')).toEqual(readings.map((row) => [...(row as unknown[]), null, null]));
  const empty = [0, null, null, null];
  expect(query('select * from slots')).toEqual(
    slots.map((row) => [...(row as unknown[]), ...empty, ...empty]),
  );
  expect(query('pragma integrity_check')).toEqual([['ok']]);
  expect(foreignSchema(database)).toBeNull();
});

test('changes nothing if the transaction is rolled back', () => {
  const schema = query('select type, name, sql from sqlite_schema');
  database.exec('begin immediate');
  addMetrics(database, ['radon']);
  database.exec('rollback');
  expect(query('select type, name, sql from sqlite_schema')).toEqual(schema);
});

test('another program can insert a reading of one metric, and the day is computed again', () => {
  addMetrics(database, ['radon']);
  const insert = (columns: string, values: string) =>
    database.exec(`insert into data (sensor, created_at, ${columns}) values (1, ${values})`);
  insert('radon', '1767225600000000, 41.5');
  expect(query('select created_at, co2, voc, radon from readings where radon is not null')).toEqual([
    ['2026-01-01T00:00:00.000Z', null, null, 41.5],
  ]);
  expect(query('select slots_from from stale_days where sensor = 1 and day = 1767225600')).toEqual([
    [1767225600],
  ]);
  expect(() => insert('radon', "1767225600000001, 'much'")).toThrow(/co2, voc and radon finite numbers/);
  expect(() => insert('co2', '1767225600000001, null')).toThrow(/all of co2, voc, radon are null/);
  expect(() => database.exec('update data set radon = 9e999')).toThrow(/finite numbers/);
});

test('reports a trigger as foreign if its name is known but its statements are different', () => {
  database.exec(
    'drop trigger data_deleted; create trigger data_deleted after delete on data begin select 1; end',
  );
  expect(foreignSchema(database)).toBe('trigger data_deleted');
});
