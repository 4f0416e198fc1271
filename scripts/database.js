/** Opens the database file for commands that change it, and asks for confirmation. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { formerDatabases } from '../app/store/sqlite/file/former-database.server.js';
import { damageError, isDiskFull } from '../app/store/sqlite/file/sqlite-errors.server.js';
import { openSqliteFile } from '../app/store/sqlite/file/sqlite-file.server.js';
import { InUseError } from '../app/store/sqlite/file/sqlite-lock.server.js';
import { databasePath, isHosted, serverUrl } from './arguments.js';
import { fail, messageOf } from './fail.js';
import { isServerOf } from './running-server.js';

/**
 * Runs `change` with the database from `DATABASE_PATH`. If a server uses it, or the readings are in a Supabase project, runs
 * `changeBeside` with the server's address instead. On a failure, exits with code 1 and reports that nothing was done.
 *
 * @param {string} done the verb in that message, such as "deleted"
 * @param {(database: import('libsql').Database, file: string) => Promise<void>} change
 * @param {(url: string) => Promise<void>} changeBeside
 */
export async function changeDatabase(done, change, changeBeside) {
  const file = databasePath();
  const url = serverUrl({});
  if (isHosted()) {
    if (await isServerOf(url, null)) return changeBeside(url);
    fail(
      `Nothing was ${done}: the readings are in a Supabase project, and no server that uses it answers at ${url}. Start it.`,
      1,
    );
  }
  if (!existsSync(file)) fail(`Nothing was ${done}: there is no database at ${file}.`, 1);
  try {
    const { database, close } = openSqliteFile(file);
    try {
      await change(database, file);
    } finally {
      close();
    }
  } catch (error) {
    if (error instanceof InUseError && (await isServerOf(url, file))) return changeBeside(url);
    const reason = isDiskFull(error) ? fullDiskAdvice(file) : messageOf(damageError(file, error));
    fail(`Nothing was ${done}: ${reason}`, 1);
  }
}

/** Returns what to do first if the disk is full, as a change needs room before it gives any back. @param {string} file */
function fullDiskAdvice(file) {
  const former = formerDatabases(realpathSync(file)).map((path) => `rm ${path} (${mebibytes(sizeOf(path))})`);
  const others = former.length > 0 ? `Former databases are there: ${former.join(', ')}.` : '';
  return (
    `the disk is full, and this needs room on it first: up to the size of the database, ${mebibytes(sizeOf(file))}. ` +
    `Remove other files from the disk, such as old backups and logs. ${others}${others && ' '}` +
    `Or move ${file} to a larger disk, with ${basename(file)}-wal if there is one, and set DATABASE_PATH.`
  );
}

/** @param {string} path */
const sizeOf = (path) => statSync(path).size;

/** @param {number} bytes */
const mebibytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** Runs `change` in a transaction. @param {import('libsql').Database} database @param {() => void} change */
export function inTransaction(database, change) {
  database.pragma('busy_timeout = 4500');
  database.exec('begin immediate');
  try {
    change();
    database.exec('commit');
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

/**
 * Returns the first column of the first row; undefined without a row.
 *
 * @param {import('libsql').Database} database
 * @param {string} sql
 * @param {(number | string | null)[]} bound
 */
export function firstValue(database, sql, ...bound) {
  return database
    .prepare(sql)
    .pluck()
    .all(...bound)[0];
}

/**
 * Returns the `id` of a sensor in the database.
 *
 * @param {import('libsql').Database} database
 * @param {string} name
 * @throws {Error} with the known sensors, if there are no readings of this one
 */
export function sensorKey(database, name) {
  const sensors = /** @type {{ id: number, name: string }[]} */ (
    database
      .prepare(
        'select id, name from sensors where exists (select 1 from data where sensor = sensors.id) order by name',
      )
      .all()
  );
  const found = sensors.find((sensor) => sensor.name === name);
  if (found) return found.id;
  const names = sensors.map((sensor) => JSON.stringify(sensor.name)).join(', ');
  throw new Error(
    `there is no sensor ${JSON.stringify(name)}. ${names ? `The database has ${names}.` : 'The database has no readings.'}`,
  );
}

/**
 * Asks for confirmation before a deletion, unless `isSure`. Without a terminal, exits with code 1.
 *
 * @param {string} question
 * @param {boolean} isSure
 */
export async function isConfirmed(question, isSure) {
  if (isSure) return true;
  if (!process.stdin.isTTY) fail('Nothing was deleted: add --yes to delete them without being asked.', 1);
  const terminal = createInterface(process.stdin, process.stdout);
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (/^y(es)?$/i.test(answer.trim())) return true;
  console.log('Nothing was deleted.');
  return false;
}

/**
 * Returns the space of deleted rows to the file system, and prints the amount. On a failure, exits with code 1.
 *
 * @param {import('libsql').Database} database
 * @param {string} file
 */
export function giveSpaceBack(database, file) {
  const sizeBefore = sizeOf(file);
  try {
    database.exec('vacuum; pragma wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // `vacuum` needs disk space, because it first writes the remaining readings to a second file.
    fail(
      `Their space can't be given back yet (${messageOf(error)}). Make room on the disk, then run this again.`,
      1,
    );
  }
  console.log(`${mebibytes(sizeBefore - sizeOf(file))} given back.`);
}
