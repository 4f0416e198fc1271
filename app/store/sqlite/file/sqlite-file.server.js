/** Opens the embedded store's file. Plain JavaScript, because `npm run seed` opens the file without a build. */
import { statSync } from 'node:fs';
import Database from 'libsql';
import { makePrivate } from './private-file.server.js';
import { openError } from './sqlite-errors.server.js';
import { lockDatabase, refuseForeignLog, removeLock, renewStamp, watchStamp } from './sqlite-lock.server.js';
import { migrate } from './sqlite-migrations.server.js';
import { refuseForeignDatabase, refuseForeignFile } from './sqlite-owner.server.js';

/** The time that opening waits for a file that another program, such as the sqlite3 shell, has locked. */
const OPEN_TIMEOUT_MS = 4500;

/** The size in bytes to which the write-ahead log is truncated. SQLite's checkpoints begin at 1000 pages of 4 KiB. */
const LOG_LIMIT = 4 * 1024 * 1024;

/**
 * A write-ahead log larger than this, in bytes, has had no complete checkpoint for a while, because another program reads
 * the file.
 */
const LONG_LOG = 2 * LOG_LIMIT;

/**
 * Opens a file for this process alone, and creates the file, its folder and its tables if missing.
 *
 * @param {string} path may be a symbolic link
 * @returns {{ database: Database.Database, files: string[], isOverwritten: () => boolean, isLogLong: () => boolean, shrinkLog: () => void, close: () => void }}
 *   `files` must stay in place while the database is open. `isOverwritten` returns true if the file's content was
 *   replaced. `isLogLong` returns true if writes that can wait should wait. `shrinkLog` truncates a write-ahead log that is over
 *   its limit; SQLite itself would do so only during a later insert.
 * @throws {Error} with the reason if the file can't be used
 */
export function openSqliteFile(path) {
  const lock = lockDatabase(path);
  const { file, lockPath, isNew, unlock } = lock;
  try {
    refuseForeignLog(file, lock);
  } catch (error) {
    unlock();
    throw new Error(`can't keep readings in ${path}: ${/** @type {Error} */ (error).message}`);
  }
  try {
    refuseForeignFile(file);
    const database = openDatabase(file);
    renewStamp(database, lock);
    const readStamp = watchStamp(file);
    // The two stamps differ while another program's read keeps the newer one in the log.
    const stamps = [readStamp(), Number(database.prepare('pragma application_id').pluck().all()[0])];
    const isOverwritten = () => !stamps.includes(readStamp());
    return {
      database,
      files: [path, `${file}-wal`, lockPath],
      isOverwritten,
      isLogLong: () => logSize(file) > LONG_LOG,
      shrinkLog() {
        // While another program reads, a checkpoint does as much as it can and returns at once.
        if (!isOverwritten() && logSize(file) > LOG_LIMIT) checkpoint(database, file);
      },
      close() {
        if (!isOverwritten()) checkpoint(database, file);
        database.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    // The file may belong to another program, so nothing is left next to it.
    if (isNew) removeLock(lockPath);
    throw openError(path, error);
  }
}

/** @param {string} file */
function openDatabase(file) {
  const database = new Database(file);
  // The file is locked for a moment when another program closes it.
  database.pragma(`busy_timeout = ${OPEN_TIMEOUT_MS}`);
  refuseForeignDatabase(database);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma(`journal_size_limit = ${LOG_LIMIT}`);
  migrate(database, file);
  makePrivate(file);
  tryInsert(database);
  // SQLite's own wait would block the event loop, so the store retries from here on.
  database.pragma('busy_timeout = 0');
  return database;
}

/**
 * Tests that inserts work: writes the pages of an insert to the disk, without keeping the reading. Throws libsql's error
 * if they don't.
 *
 * @param {Database.Database} database
 */
export function tryInsert(database) {
  try {
    // After a rollback to a savepoint, the commit still writes the changed pages. The sensor doesn't have to exist,
    // because a rolled-back row is not checked.
    database.exec(`begin immediate; pragma defer_foreign_keys = on; savepoint attempt;
      insert into data (sensor, created_at, co2, voc) values (0, 0, 0, 0);
      rollback to attempt; commit`);
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

/** @param {string} file */
function logSize(file) {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Moves the newest readings from the write-ahead log into the file, so that a copy of the file is a complete backup.
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
