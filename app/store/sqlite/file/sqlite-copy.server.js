/** Copies the embedded store's file. Plain JavaScript, because the commands that use it run without a build. */
import { chmodSync, copyFileSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'libsql';
import { commandLine } from '../../../config/installation.server.js';
import { keepFormer, removeFormerLog, removeKept } from './former-database.server.js';
import { createPrivate, makePrivate } from './private-file.server.js';
import { damageError, isDamaged } from './sqlite-errors.server.js';
import { giveTo, lockDatabase, refuseForeignLog, removeLock, stampOfLock } from './sqlite-lock.server.js';
import { foreignSchema, newerVersionDetail } from './sqlite-migrations.server.js';
import { namesFault } from './sqlite-names.server.js';
import { refuseForeignFile } from './sqlite-owner.server.js';
import { syncFile } from './sync-file.server.js';

/**
 * The number of readings in a copy, and the time of the newest.
 *
 * @typedef {{ readings: number, newest: string | null }} Contents
 */

/**
 * Copies a database, which a server may be using, to a new file, and verifies the copy.
 *
 * @param {string} path
 * @param {string} target
 * @returns {Contents}
 * @throws {Error} with the reason if the copy fails; then there is no file at `target`
 */
export function backUpDatabase(path, target) {
  if (!existsSync(path))
    throw new Error(`there is no database at ${path}. Set DATABASE_PATH to the file to back up.`);
  if (existsSync(target)) throw new Error(`${target} exists already. Choose another name.`);
  if (!existsSync(dirname(resolve(target))))
    throw new Error(`there is no folder ${dirname(target)}. Create it, or choose another one.`);
  const file = realpathSync(path);
  refuseForeignLog(file, { stamp: () => stampOfLock(`${file}.lock`) });
  const part = `${target}.part`;
  return andRemove(part, () => {
    const before = copyTo(part, path);
    const contents = completeCopy(part);
    if (contents.readings < Number(before))
      throw new Error(`the copy has ${contents.readings} of ${before} readings`);
    renameSync(part, target);
    syncFolder(target);
    return contents;
  });
}

/**
 * Copies a database. Returns the number of readings before copying.
 *
 * @param {string} part
 * @param {string} path
 */
function copyTo(part, path) {
  try {
    refuseForeignFile(path);
    const database = new Database(path);
    const [before] = database.prepare('select count(*) from data').pluck().all();
    createPrivate(part);
    database.prepare('vacuum into ?').run(part);
    database.close();
    return before;
  } catch (error) {
    throw damageError(path, error);
  }
}

/**
 * Replaces a database with a copy while no server uses it. The former database stays next to the new one. If it is killed,
 * the next start finds either the former database with all its readings, or the restored one.
 *
 * @param {string} copy
 * @param {string} path
 * @returns {Contents & { kept: string | null }} `kept` is the new path of the former database; null if there was none
 * @throws {Error} with the reason if the copy can't be restored; then the database is unchanged
 */
export function restoreDatabase(copy, path) {
  const lock = lockDatabase(path, 'Stop it first (Ctrl-C, or sudo systemctl stop airboard).');
  const { file, unlock } = lock;
  const part = `${file}.restoring`;
  try {
    refuseToReplaceForeign(file);
  } catch (error) {
    unlock();
    if (lock.isNew) removeLock(lock.lockPath);
    throw error;
  }
  try {
    return andRemove(part, () => {
      // A copy of a database in use may have its newest readings in a copy of the write-ahead log.
      for (const suffix of ['', '-wal']) {
        if (!existsSync(copy + suffix)) continue;
        if (!statSync(copy + suffix).isFile()) throw new Error(`${copy}${suffix} isn't a regular file.`);
        copyFileSync(resolve(copy) + suffix, part + suffix);
        chmodSync(part + suffix, 0o600);
      }
      const contents = completeRestoring(part, copy);
      // A copy may belong to another user.
      giveTo(part, file);
      makePrivate(file);
      moveLogIntoFile(file, lock);
      return { ...contents, kept: replaceDatabase(part, file) };
    });
  } finally {
    unlock();
  }
}

/** Refuses to replace a database of another program. A damaged database may be replaced. @param {string} file */
function refuseToReplaceForeign(file) {
  try {
    refuseForeignFile(file);
  } catch (error) {
    if (!isDamaged(error)) throw damageError(file, error);
  }
}

/**
 * Completes a temporary copy. Errors name the file that the user gave.
 *
 * @param {string} part
 * @param {string} copy
 */
function completeRestoring(part, copy) {
  try {
    return completeCopy(part, refuseForeignSchema);
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: string }} */ (error);
    if (code === 'SQLITE_NOTADB') throw new Error(`${copy} is not an SQLite database. ${GIVE_A_BACKUP}`);
    if (/^no such table/.test(message)) throw new Error(`${copy} has no readings. ${GIVE_A_BACKUP}`);
    throw new Error(`${copy}: ${message}`);
  }
}

/**
 * @param {import('libsql').Database} database
 * @throws {Error} if this airboard is too old for the database, so that the server couldn't start with it, or if the
 *   database contains triggers, views or tables that airboard didn't make, which could change readings
 */
function refuseForeignSchema(database) {
  const newer = newerVersionDetail(database);
  if (newer) throw new Error(`${newer}. Update airboard`);
  const foreign = foreignSchema(database);
  if (foreign) throw new Error(`it contains the ${foreign}, which airboard didn't make. ${GIVE_A_BACKUP}`);
  const fault = namesFault(database);
  if (fault) throw new Error(`${fault}. ${GIVE_A_BACKUP}`);
}

const GIVE_A_BACKUP = `Give a file that ${commandLine('backup')} has made. The readings of a CSV file are added by ${commandLine('import')}.`;

/**
 * Verifies a copy, moves its write-ahead log into the file, and writes it to the disk.
 *
 * @param {string} file
 * @param {(database: import('libsql').Database) => void} [check] throws if the copy must not be used
 * @returns {Contents}
 */
function completeCopy(file, check = () => {}) {
  const database = new Database(file);
  check(database);
  const [finding] = database.prepare('pragma integrity_check(1)').pluck().all();
  if (finding !== 'ok') throw new Error(`the copy is damaged: ${finding}`);
  const [row] = database.prepare('select count(*), max(created_at) from data').raw().all();
  const [readings, newest] = /** @type {[number, number | string | null]} */ (row);
  database.pragma('wal_checkpoint(TRUNCATE)');
  // Removes the stamp, because a log belongs to one file and never to its copy; see `refuseForeignLog`.
  database.exec('pragma journal_mode = delete; pragma application_id = 0');
  database.close();
  syncFile(file);
  // Before version 1 of the schema, times were stored as text.
  return { readings, newest: typeof newest === 'number' ? new Date(newest / 1000).toISOString() : newest };
}

/**
 * Moves the write-ahead log that a killed server left into its database, so that the database is a single file. If that
 * fails, the database is damaged, or another program reads it; then the log is kept beside it.
 *
 * @param {string} file
 * @param {Pick<import('./sqlite-lock.server.js').StampedLock, 'stamp'>} lock
 */
function moveLogIntoFile(file, lock) {
  try {
    refuseForeignLog(file, lock);
    const database = new Database(file);
    try {
      database.prepare('select count(*) from sqlite_schema').all();
      database.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      database.close();
    }
  } catch {}
}

/**
 * Replaces a database, and keeps the former one under a second name, which it returns; null if that is empty.
 *
 * @param {string} part
 * @param {string} file
 */
function replaceDatabase(part, file) {
  const kept = keepFormer(file);
  try {
    syncFolder(file);
    renameSync(part, file);
  } catch (error) {
    if (kept) removeKept(kept);
    throw error;
  }
  removeFormerLog(file);
  syncFolder(file);
  return kept;
}

/** Writes the names in a file's folder to the disk. @param {string} file */
function syncFolder(file) {
  if (process.platform !== 'win32') syncFile(dirname(resolve(file)));
}

/**
 * Runs `work`, then removes the remains of a temporary database.
 *
 * @template T
 * @param {string} part
 * @param {() => T} work
 */
function andRemove(part, work) {
  const remove = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(part + suffix, { force: true });
  };
  remove();
  try {
    return work();
  } finally {
    remove();
  }
}
