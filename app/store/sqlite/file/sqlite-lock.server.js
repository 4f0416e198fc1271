import { randomInt } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { finishRestore } from './former-database.server.js';
import { createPrivate } from './private-file.server.js';
import { isDiskFull, isLocked, lockError, openError } from './sqlite-errors.server.js';

/** Thrown for a database that another process has locked. */
export class InUseError extends Error {}

/**
 * Locks a database for this process until it ends, even if it crashes. The lock is SQLite's own lock on a second file,
 * so that programs such as the sqlite3 shell can still read the database.
 *
 * The second file is next to the database, not next to a symbolic link to it, and a database with hard links is
 * rejected: all paths to a database must lead to the same lock and the same write-ahead log.
 *
 * @param {string} path of the database; created if missing, and so is its folder
 * @param {string} [advice] for the error if another process has locked it
 * @returns {StampedLock & { file: string, lockPath: string, isNew: boolean, unlock: () => void }}
 *   `file` is the path without symbolic links; `isNew` is true if the lock file was created now
 * @throws {Error} with the reason if the database can't be locked
 */
export function lockDatabase(
  path,
  advice = 'Stop it (Ctrl-C, or sudo systemctl stop airboard), or set DATABASE_PATH to another file.',
) {
  const file = realFile(path);
  const lockPath = `${file}.lock`;
  const isNew = !existsSync(lockPath);
  const lock = openLock(lockPath, file, path, advice);
  function unlock() {
    // Reading in normal mode releases the lock. `close` alone doesn't release it before the statements are
    // garbage-collected.
    lock.exec('rollback; pragma locking_mode = normal; select 1 from sqlite_master');
    lock.close();
  }
  try {
    finishRestore(file);
    refuseHardLinks(file, path);
  } catch (error) {
    unlock();
    if (isNew) removeLock(lockPath);
    throw error;
  }
  return {
    file,
    lockPath,
    isNew,
    stamp: () => Number(lock.prepare('pragma user_version').pluck().all()[0]),
    setStamp: (stamp) => lock.exec(`pragma user_version = ${stamp}; commit; begin exclusive`),
    unlock,
  };
}

/**
 * @param {string} lockPath
 * @param {string} file
 * @param {string} path for messages
 * @param {string} advice
 */
function openLock(lockPath, file, path, advice) {
  const isNew = !existsSync(lockPath);
  try {
    // SQLite begins a transaction on a file that it may only read, but without a lock.
    if (!isNew) accessSync(lockPath, constants.R_OK | constants.W_OK);
    if (isNew) createPrivate(lockPath);
    const lock = new Database(lockPath);
    if (isNew) giveTo(lockPath, file);
    // In this mode, the lock outlasts the transaction.
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    return lock;
  } catch (error) {
    if (!isLocked(error))
      throw isNew || isDiskFull(error) ? openError(path, error) : lockError(path, lockPath, error);
    throw new InUseError(`another airboard already uses ${path} (${lockPath} is locked). ${advice}`);
  }
}

/**
 * Removes an unlocked lock file.
 *
 * @param {string} lockPath
 */
export function removeLock(lockPath) {
  for (const suffix of ['', '-journal']) rmSync(lockPath + suffix, { force: true });
}

/**
 * @param {string} file
 * @param {string} path for the message
 */
function refuseHardLinks(file, path) {
  const stats = statSync(file);
  if (!stats.isFile() || stats.nlink <= 1) return;
  throw new Error(
    `${path} has ${stats.nlink} names (hard links). SQLite would keep a log beside each, and readings would be ` +
      'lost. Remove the other names, or set DATABASE_PATH to another file.',
  );
}

/**
 * Returns the path without symbolic links. Creates the file if missing, because a link may lead to a missing file.
 *
 * @param {string} path
 */
function realFile(path) {
  try {
    makeFolder(dirname(path));
    // Opens only a missing file, because closing a database would release SQLite's locks on it.
    const isNew = !existsSync(path);
    if (isNew) createPrivate(path);
    const file = realpathSync(path);
    if (isNew) giveTo(file, dirname(file));
    return file;
  } catch (error) {
    throw openError(path, error);
  }
}

/**
 * Creates a folder and its parents. `mkdirSync` with `recursive` never returns below `/proc`, where the system reports
 * every parent as missing.
 *
 * @param {string} folder
 */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/**
 * Gives a new file the owner of another one, as SQLite does for its logs. Files that root creates by a command must not
 * lock out the user that runs the server.
 *
 * @param {string} file
 * @param {string} owned a file or a folder
 */
export function giveTo(file, owned) {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(owned);
  // Doesn't use `chown`, because in another user's folder the name may be a link to any file.
  lchownSync(file, uid, gid);
}

/**
 * Ties the write-ahead log to its database. SQLite replays any log next to a file. If a copy replaced a database whose
 * server had crashed, the old log would overwrite pages of the copy.
 *
 * Each start writes the same new number (the stamp) into the database, as `application_id`, and into its lock file. A
 * copy from before that start has another number.
 *
 * @typedef {{ stamp: () => number, setStamp: (stamp: number) => void }} StampedLock
 */

/**
 * Rejects a log that belongs to another file. Call it before SQLite opens the file.
 *
 * @param {string} file
 * @param {Pick<StampedLock, 'stamp'>} lock
 * @throws {Error} if the log next to the file belongs to another file
 */
export function refuseForeignLog(file, lock) {
  const expected = lock.stamp();
  const logSize = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  // Doesn't open the file with SQLite, which can't read a file with an interrupted checkpoint without its log.
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
  // The new number must be in the file itself. While another program reads, it would stay in the log, so the old number
  // is kept.
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
 * Returns a function that reads the stamp in a file while SQLite uses it, or null if the file is too short to be a
 * database. Never closes the file, because that would release this process's locks on it.
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
 * Returns the stamp in a database's lock file, or 0 while a server has locked it: that server has already compared the
 * stamps.
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
