/** Keeps the embedded store's files from other users of the machine. Plain JavaScript for commands without a build. */
import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';

/** Read and write for the owner. SQLite gives its logs the mode of their database. */
const PRIVATE = 0o600;

/** The database, its logs and its lock file. */
const SUFFIXES = ['', '-wal', '-shm', '.lock'];

/**
 * Creates an empty file that only its owner can read, unless there is a file.
 *
 * @param {string} file
 */
export function createPrivate(file) {
  closeSync(openSync(file, 'a', PRIVATE));
}

/**
 * Takes the permissions of other users from a database and the files next to it. Without the right to do so, as in a folder
 * of another user, the modes stay.
 *
 * @param {string} file
 */
export function makePrivate(file) {
  for (const suffix of SUFFIXES) {
    const stats = lstatSync(file + suffix, { throwIfNoEntry: false });
    // A symbolic link may lead to any file, and root could change its mode.
    if (!stats?.isFile() || (stats.mode & 0o077) === 0) continue;
    try {
      chmodSync(file + suffix, stats.mode & 0o700);
    } catch {
      // The database works all the same.
    }
  }
}
