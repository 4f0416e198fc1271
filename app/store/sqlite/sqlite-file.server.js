/**
 * The embedded store's file: lock, settings and schema. Plain JavaScript, because `npm run seed` opens the same
 * file without a build.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

/** Creates the index that queries for the newest readings use. */
export const CREATE_INDEX = 'create index if not exists data_newest on data (created_at desc, id desc)';

const CREATE_TABLE = `create table if not exists data (
  id integer primary key autoincrement,
  co2 real not null,
  voc real not null,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
)`;

/** How long opening waits for a file that another program, such as the sqlite3 shell, has locked. */
const OPEN_TIMEOUT_MS = 4500;

/**
 * Opens a file for this process alone, and creates the file, its folder and its table if missing.
 *
 * @param {string} file
 * @returns {{ database: Database.Database, close: () => void }}
 * @throws {Error} saying why the file can't be used
 */
export function openSqliteFile(file) {
  const lock = lockFile(file);
  try {
    const database = openDatabase(file);
    return {
      database,
      close() {
        checkpoint(database, file);
        database.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    // The file may belong to another program: leave nothing beside it.
    for (const suffix of ['lock', 'lock-journal']) rmSync(`${file}.${suffix}`, { force: true });
    throw openError(file, error);
  }
}

/**
 * Locks the file for this process until it ends, however it ends. The lock is SQLite's own on a second file, so
 * that the database stays open to readers such as the sqlite3 shell.
 *
 * @param {string} file
 */
function lockFile(file) {
  const path = `${file}.lock`;
  try {
    makeFolder(dirname(file));
    const lock = new Database(path);
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    if (!isLocked(error)) throw openError(file, error);
    throw new Error(
      `another airboard already uses ${file} (${path} is locked). Stop it, or set DATABASE_PATH to another file.`,
    );
  }
}

/**
 * Makes a folder and its parents. `mkdirSync` with `recursive` never returns below `/proc`, where the system
 * reports every parent as missing.
 *
 * @param {string} folder
 */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** @param {string} file */
function openDatabase(file) {
  const database = new Database(file);
  // Closing the file in another program locks it for a moment.
  database.pragma(`busy_timeout = ${OPEN_TIMEOUT_MS}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(CREATE_TABLE);
  database.prepare('select id, co2, voc, created_at from data');
  database.exec(CREATE_INDEX);
  tryInsert(database);
  // SQLite's own wait would block the event loop: from here on the store retries.
  database.pragma('busy_timeout = 0');
  return database;
}

/**
 * Writes to the disk what an insert writes, and takes the reading back. Throws libsql's error if that fails.
 *
 * @param {Database.Database} database
 */
export function tryInsert(database) {
  try {
    // Rolling back to a savepoint leaves the changed pages to be written by the commit.
    database.exec(`begin immediate; savepoint attempt;
      insert into data (co2, voc) values (0, 0);
      rollback to attempt; commit`);
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

/**
 * Moves the newest readings from the write-ahead log into the file, so that a copy of the file is a backup.
 *
 * @param {Database.Database} database
 * @param {string} file
 */
function checkpoint(database, file) {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // The next start reads the log.
    const { message } = /** @type {Error} */ (error);
    console.error(`[airboard] ${file}-wal still holds readings, keep it with the file: ${message}`);
  }
}

/**
 * @param {string} file
 * @param {unknown} error
 */
function openError(file, error) {
  const advice = 'Set DATABASE_PATH to a file in a writable folder.';
  return new Error(`can't keep readings in ${file}: ${describeError(error)}. ${advice}`);
}

/** @param {unknown} error */
function describeError(error) {
  const { message, code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (isLocked(error)) return 'another program has it locked';
  if (code === 'SQLITE_NOTADB') return 'it is not an SQLite database';
  if (message.startsWith('ConnectionFailed')) return "it can't be opened as a file";
  if (message.startsWith('no such column')) return `its table "data" is another program's (${message})`;
  return message;
}

/**
 * Returns whether SQLite failed because another process holds the lock.
 *
 * @param {unknown} error
 */
export function isLocked(error) {
  return /^SQLITE_(BUSY|LOCKED)/.test(String(/** @type {{ code?: string }} */ (error).code));
}
