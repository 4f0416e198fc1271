/**
 * Keeps the database that a restore replaces. The database always has its name and its write-ahead log: the former one
 * gets a second name, then a rename replaces the first. A restore that is killed in between leaves both names, and the
 * next one to lock the database removes one of them.
 */
import { copyFileSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFile } from './sync-file.server.js';

/**
 * Gives a database and its write-ahead log second names. Call it with the database locked.
 *
 * @param {string} file
 * @returns {string | null} the database's second name; null if the database is empty
 */
export function keepFormer(file) {
  if (statSync(file).size === 0) return null;
  const kept = `${file}.${new Date().toISOString().replace(/[:.]/g, '-')}`;
  try {
    // The log comes last: `finishRestore` takes a log that has two names, beside a database that has one, for a log that
    // is no longer needed.
    secondName(file, kept);
    if (sizeOf(`${file}-wal`) > 0) secondName(`${file}-wal`, `${kept}-wal`);
  } catch (error) {
    removeKept(kept);
    throw error;
  }
  return kept;
}

/** Removes the second names. @param {string} kept */
export function removeKept(kept) {
  rmSync(`${kept}-wal`, { force: true });
  rmSync(kept, { force: true });
}

/**
 * Removes the log of the former database, after the rename. It must not be applied to the restored one.
 *
 * @param {string} file
 */
export function removeFormerLog(file) {
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/**
 * Removes the second name of a database if a restore was killed before its rename, or the former log if it was killed
 * after it. Call it with the database locked, before SQLite opens it.
 *
 * @param {string} file
 */
export function finishRestore(file) {
  const [database, log] = [identityOf(file), identityOf(`${file}-wal`)];
  if (!database.hasOthers && !log.hasOthers) return;
  for (const kept of formerDatabases(file)) {
    if (identityOf(kept).key === database.key) removeKept(kept);
    else if (log.key !== null && identityOf(`${kept}-wal`).key === log.key) removeFormerLog(file);
  }
}

/** Returns the paths of the databases that restores have kept beside a database. @param {string} file */
export function formerDatabases(file) {
  const prefix = `${basename(file)}.`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && KEPT.test(name.slice(prefix.length)))
    .map((name) => join(dirname(file), name));
}

/** The time in the second name. */
const KEPT = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** @param {string} path */
function identityOf(path) {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return { key: stats ? `${stats.dev} ${stats.ino}` : null, hasOthers: (stats?.nlink ?? 0n) > 1n };
}

/** @param {string} path */
const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Links a file, or copies it where the file system has no hard links, as on FAT and some network shares.
 *
 * @param {string} path
 * @param {string} name
 */
function secondName(path, name) {
  try {
    linkSync(path, name);
  } catch {
    const part = `${name}.part`;
    try {
      copyFileSync(path, part);
      syncFile(part);
      renameSync(part, name);
    } finally {
      rmSync(part, { force: true });
    }
  }
}
