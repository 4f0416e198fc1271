import { randomInt } from 'node:crypto';
import { existsSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'libsql';
import { isLocked } from './sqlite-errors.server.js';

/**
 * Ties the write-ahead log to its database. SQLite replays any log that lies beside a file: where a copy was put in
 * the place of a database whose server had crashed, the old log would overwrite pages of the copy.
 *
 * Each start marks the database, in `application_id`, and its lock file with the same new number. A copy from before
 * that start has another number.
 *
 * @typedef {{ stamp: () => number, setStamp: (stamp: number) => void }} StampedLock
 */

/**
 * Call before SQLite opens the file.
 *
 * @param {string} file
 * @param {Pick<StampedLock, 'stamp'>} lock
 * @throws {Error} if the log beside the file is the log of another file
 */
export function refuseForeignLog(file, lock) {
  const expected = lock.stamp();
  const logSize = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  // Not through SQLite: without its log, a file whose checkpoint was cut off is damaged.
  if (logSize === 0 || expected === 0 || watchStamp(file)() === expected) return;
  throw new Error(
    `${file}-wal is not the log of ${file}, but of a file that was there before: SQLite would overwrite parts of ` +
      `the database with it. Move the log away (mv ${file}-wal ${file}-wal.old), then start again.`,
  );
}

/**
 * @param {import('libsql').Database} database
 * @param {StampedLock} lock
 */
export function renewStamp(database, lock) {
  const stamp = randomInt(1, 2 ** 31 - 1);
  // The number has to be in the file itself. Beside a reader, it stays in the log, and the old one stays valid.
  if (!emptyLog(database)) return;
  try {
    database.pragma(`application_id = ${stamp}`);
  } catch (error) {
    if (isLocked(error)) return;
    throw error;
  }
  if (emptyLog(database)) lock.setStamp(stamp);
  else database.pragma(`application_id = ${lock.stamp()}`);
}

/** The offset of `application_id` in the header of a database (sqlite.org/fileformat.html). It has four bytes. */
const STAMP_OFFSET = 68;

/**
 * Returns a function that reads the number in a file while SQLite uses it: null if the file is too short to be a
 * database. Never closes the file, because that would release the locks that this process has on it.
 *
 * @param {string} file
 * @returns {() => number | null}
 */
export function watchStamp(file) {
  const opened = openSync(file, 'r');
  const bytes = Buffer.alloc(4);
  return () => (readSync(opened, bytes, 0, 4, STAMP_OFFSET) === 4 ? bytes.readInt32BE() : null);
}

/**
 * Returns the number in the lock file of a database, or 0 while a server has it locked: that server has compared it.
 *
 * @param {string} lockPath
 */
export function stampOfLock(lockPath) {
  if (!existsSync(lockPath)) return 0;
  const lock = new Database(lockPath);
  try {
    return Number(lock.prepare('pragma user_version').pluck().all()[0]);
  } catch (error) {
    if (isLocked(error)) return 0;
    throw error;
  } finally {
    lock.close();
  }
}

/** @param {import('libsql').Database} database */
function emptyLog(database) {
  const [result] = /** @type {{ busy: number }[]} */ (database.pragma('wal_checkpoint(TRUNCATE)'));
  return result?.busy === 0;
}
