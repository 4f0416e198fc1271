/**
 * The schema of the embedded store, and the migrations from each older version. `PRAGMA user_version` is the version of
 * a file. Plain JavaScript, because the commands for the file run without a build.
 */
import Database from 'libsql';
import { commandLine } from '../../../config/installation.server.js';
import { counted } from '../../../readings/format/counted.js';
import { ADD_WATCHED, CREATE_ALERTS, FORGET_LATE_READINGS } from '../schema/sqlite-alert-schema.server.js';
import { createDeletions } from '../schema/sqlite-deletion-schema.server.js';
import { refuseUnreadableRows } from '../schema/sqlite-readable-rows.server.js';
import {
  addMetrics,
  columnsOf,
  createRollUps,
  createView,
  FIRST_FIELDS,
  fieldsOf,
  recountFaultyValues,
  removeIndexes,
} from '../schema/sqlite-roll-up-schema.server.js';
import { CREATE_ROOMS } from '../schema/sqlite-room-schema.server.js';
import { ADD_CORRECTIONS, ADD_RAW_FROM, CREATE_SETTINGS } from '../schema/sqlite-settings-schema.server.js';
import { FileError } from './sqlite-errors.server.js';

/** The speed of the migration from version 0 on a small machine. */
const READINGS_PER_SECOND = 100_000;

/**
 * `created_at` is in microseconds since 1970, and the index ends with the id (decision 0004). The index gives
 * a sensor's readings ordered by time, and the primary key gives readings ordered by id.
 */
const CREATE_TABLES = `
create table sensors (
  id integer primary key,
  name text not null unique
);
create table data (
  id integer primary key autoincrement,
  sensor integer not null references sensors,
  created_at integer not null,
  co2 real,
  voc real,
  check (co2 is not null or voc is not null)
);
${createView(FIRST_FIELDS)}`;

/** Converts ISO 8601 text to microseconds since 1970, and anything else to null. Without `Z`, SQLite assumes UTC. */
const MICROSECONDS = `case when created_at glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' then
  cast(round(unixepoch(created_at, 'subsec') - decimals) as integer) * 1000000 + cast(decimals * 1000000 + 0.01 as integer)
end`;

/**
 * The rows of version 0 with their times. SQLite's own times have only milliseconds, so the decimals are read
 * separately.
 */
const TIMED = `select *, ${MICROSECONDS} as micros from (
  select *, iif(instr(created_at, '.'), cast('0' || substr(created_at, instr(created_at, '.')) as real), 0) as decimals
  from version_0
)`;

/**
 * Version 0 had no sensors, and its times were text and not unique. Equal times are moved apart by a microsecond, in
 * the order of time and id. Each time is later than the previous one if time minus row number never decreases: the
 * running maximum ensures that.
 */
const MOVE_READINGS = `
insert into sensors (name) select '' where exists (select 1 from version_0);
insert into data (id, sensor, created_at, co2, voc)
select id, 1, max(micros - number) over (order by number) + number, co2, voc
from (select *, row_number() over (order by micros, id) as number from (${TIMED}));
delete from sqlite_sequence where name = 'data';
update sqlite_sequence set name = 'data' where name = 'version_0';
drop table version_0;`;

/**
 * `MIGRATIONS[n]` upgrades a file from version n to n + 1.
 *
 * @type {((database: import('libsql').Database, file: string) => void)[]}
 */
const MIGRATIONS = [
  (database) => {
    const isNew = !hasTable(database);
    if (!isNew) database.exec('alter table data rename to version_0');
    database.exec(CREATE_TABLES);
    if (!isNew) moveReadings(database);
    // Building an index once is faster than updating it for every row.
    database.exec('create unique index data_reading on data (sensor, created_at)');
  },
  (database, file) => {
    refuseUnreadableRows(database, file);
    // The roll-ups of existing readings are computed later, while the server answers.
    createRollUps(database);
  },
  (database) => database.exec(CREATE_ALERTS),
  (database) => database.exec(ADD_WATCHED),
  removeIndexes,
  (database) => database.exec(CREATE_ROOMS),
  (database) => database.exec(FORGET_LATE_READINGS),
  recountFaultyValues,
  (database) => database.exec(CREATE_SETTINGS),
  addCorrections,
  (database) => database.exec(ADD_RAW_FROM),
  createDeletions,
];

/** @param {import('libsql').Database} database */
function addCorrections(database) {
  database.exec(ADD_CORRECTIONS);
}

const BEFORE_CORRECTIONS = MIGRATIONS.indexOf(addCorrections);

/** @param {import('libsql').Database} database */
function moveReadings(database) {
  try {
    database.exec(MOVE_READINGS);
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'SQLITE_CONSTRAINT_NOTNULL') throw error;
    const [row] = database
      .prepare(`select id, created_at from (${TIMED}) where micros is null limit 1`)
      .all();
    const { id, created_at } = /** @type {{ id: number, created_at: unknown }} */ (row);
    throw new FileError(
      `the time of reading ${id} can't be read: "${created_at}". Nothing was changed. Correct it in the database: ` +
        `update data set created_at = '2026-01-31T08:00:00.000Z' where id = ${id}`,
    );
  }
}

/** @param {import('libsql').Database} database */
function hasTable(database) {
  return database.prepare("select 1 from sqlite_master where name = 'data'").all().length > 0;
}

/** The version of the schema that this airboard reads and writes. */
const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Returns an error text if a newer airboard made the database, else null.
 *
 * @param {import('libsql').Database} database
 */
export function newerVersionDetail(database) {
  const version = versionOf(database);
  if (version <= SCHEMA_VERSION) return null;
  return `its database version is ${version}, but this airboard supports versions only up to ${SCHEMA_VERSION}`;
}

const FIELD = /^[a-z][a-z0-9_]*$/;

/**
 * Returns a trigger, view or table that airboard doesn't create in a database with this version and these metrics, such
 * as `trigger evil`, or null. Version 0 had only the table `data`. Indexes are ignored, because they can't change
 * anything.
 *
 * @param {import('libsql').Database} database of no newer version
 */
export function foreignSchema(database) {
  const version = versionOf(database);
  const made = new Database(':memory:');
  // A file has a metric's columns since its first reading with it, before or after the column `raw`.
  const columns = columnsOf(database);
  const raw = columns.indexOf('raw');
  const isBefore = (/** @type {string} */ field) => raw < 0 || columns.indexOf(field) < raw;
  const further =
    version <= MIGRATIONS.indexOf(removeIndexes) ? [] : fieldsOf(database).slice(FIRST_FIELDS.length);
  const add = (/** @type {string[]} */ fields) => {
    if (further.every((field) => FIELD.test(field))) for (const field of fields) addMetrics(made, [field]);
  };
  try {
    createSchema(made, Math.min(version, BEFORE_CORRECTIONS));
    add(further.filter(isBefore));
    createSchema(made, version);
    add(further.filter((field) => !isBefore(field)));
    const expected = new Map(schemaOf(made).map(({ key, sql }) => [key, sql]));
    // The migration to version 2 may have created the table `unreadable`.
    const isOwn = (/** @type {string} */ key) =>
      key === 'table unreadable' || (version === 0 && key === 'table data');
    const foreign = schemaOf(database).find(({ key, sql }) => !isOwn(key) && expected.get(key) !== sql);
    return foreign?.key ?? null;
  } finally {
    made.close();
  }
}

/**
 * Creates the schema of a version in an empty database, or upgrades one of an older version.
 *
 * @param {import('libsql').Database} database
 * @param {number} version
 */
export function createSchema(database, version) {
  for (const migration of MIGRATIONS.slice(versionOf(database), version)) migration(database, '');
  database.exec(`pragma user_version = ${version}`);
}

/**
 * @param {import('libsql').Database} database
 * @returns {{ key: string, sql: string }[]}
 */
function schemaOf(database) {
  const rows = database
    .prepare(
      "select type || ' ' || name, sql from sqlite_schema where type <> 'index' and name not like 'sqlite\\_%' escape '\\'",
    )
    .raw()
    .all();
  return /** @type {[string, string][]} */ (rows).map(([key, sql]) => ({
    key,
    sql: sql.replace(/\s+/g, ' '),
  }));
}

/** @param {import('libsql').Database} database */
const versionOf = (database) => Number(database.prepare('pragma user_version').pluck().all()[0]);

/**
 * Upgrades a database to the schema of this airboard in one transaction, or creates the schema in an empty one. Logs an
 * upgrade.
 *
 * @param {import('libsql').Database} database
 * @param {string} file for messages
 * @throws {Error} if the database has a newer version or can't be changed; it is then unchanged
 */
export function migrate(database, file) {
  const version = versionOf(database);
  if (version === SCHEMA_VERSION) return;
  const newer = newerVersionDetail(database);
  if (newer) {
    throw new FileError(
      `${newer}. Update airboard, restore a backup that it made (${commandLine('restore', 'FILE')}), or set DATABASE_PATH to another file`,
    );
  }
  const finish = hasTable(database) ? announce(database, file, version) : () => {};
  // Foreign keys would be checked for each moved row. This setting has no effect within a transaction.
  database.exec('pragma foreign_keys = off; begin immediate');
  try {
    for (const migration of MIGRATIONS.slice(version)) migration(database, file);
    database.exec(`pragma user_version = ${SCHEMA_VERSION}; commit`);
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
  database.exec('pragma foreign_keys = on');
  finish();
}

/**
 * Logs the beginning of a migration that takes time. Returns a function that logs its end.
 *
 * @param {import('libsql').Database} database
 * @param {string} file
 * @param {number} version
 */
function announce(database, file, version) {
  const startedAt = performance.now();
  if (version === 0) {
    const [readings] = database.prepare('select count(*) from data').pluck().all();
    console.log(
      `[airboard] ${file}: upgrading ${counted(Number(readings), 'reading')} from database version 0 to ${SCHEMA_VERSION}, ` +
        `which takes about ${Math.ceil(Number(readings) / READINGS_PER_SECOND)} s and happens once`,
    );
  }
  return () => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`[airboard] ${file} was upgraded to database version ${SCHEMA_VERSION} in ${seconds} s`);
  };
}
