import { commandLine } from '../../../config/installation.server.js';

/** An error whose message already says what to do. */
export class FileError extends Error {}

/**
 * @param {string} file
 * @param {unknown} error
 */
export function openError(file, error) {
  return new Error(`can't keep readings in ${file}: ${describeError(error)}.${adviceFor(error)}`, {
    cause: error,
  });
}

/**
 * Returns an error with advice if a command found the database damaged, or of another program. Returns any other error
 * unchanged.
 *
 * @param {string} file
 * @param {unknown} error
 */
export function damageError(file, error) {
  return isDamaged(error) || error instanceof FileError
    ? new Error(`${file}: ${describeError(error)}.${adviceFor(error)}`)
    : error;
}

/**
 * @param {string} path
 * @param {string} lockPath of an existing lock file
 * @param {unknown} error
 */
export function lockError(path, lockPath, error) {
  const { message } = /** @type {Error} */ (error);
  const isDenied =
    ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)) || message.startsWith('ConnectionFailed');
  const reason = isDenied
    ? 'this user may not write it, or it is no file. Start airboard as the user that owns it'
    : `${codeOf(error) === 'SQLITE_NOTADB' ? 'it is not a lock file of airboard' : message}. Stop all airboards that use the database`;
  return new Error(
    `can't use ${path}: its lock file ${lockPath} can't be locked: ${reason}, or remove it while no airboard runs.`,
  );
}

/** @param {unknown} error */
function adviceFor(error) {
  if (error instanceof FileError) return '';
  if (isDamaged(error)) {
    const isOther = codeOf(error) === 'SQLITE_NOTADB';
    const otherwise = isOther ? " If it isn't an airboard database, set DATABASE_PATH to another file." : '';
    return ` Stop the server and restore a backup: ${commandLine('restore', 'FILE')}. This file is kept beside it.${otherwise}`;
  }
  if (isDiskFull(error)) return ' Make room on it, then start again.';
  return ' Set DATABASE_PATH to a file in a writable folder.';
}

/** @param {unknown} error */
function describeError(error) {
  const { message } = /** @type {Error} */ (error);
  if (isLocked(error)) return 'another program has it locked';
  if (isDiskFull(error)) return 'the disk is full';
  if (codeOf(error) === 'SQLITE_NOTADB') return 'it is not an SQLite database';
  if (isDamaged(error)) return `it is damaged (${message})`;
  if (message.startsWith('ConnectionFailed')) return "it can't be opened as a file";
  return message;
}

/** @param {unknown} error */
const codeOf = (error) => String(/** @type {{ code?: string }} */ (error).code);

/**
 * Returns true if the file's content is not, or no longer, a database.
 *
 * @param {unknown} error
 */
export function isDamaged(error) {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

/** The time limit and the interval of retries while another process has locked the database. */
export const LOCK_TIMEOUT_MS = 4500;
export const LOCK_RETRY_MS = 25;

/**
 * Returns true if SQLite failed because another process holds the lock.
 *
 * @param {unknown} error
 */
export function isLocked(error) {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/**
 * Returns true if the disk is full. SQLite has a special error code for its shared-memory file, and the file system has
 * one for a folder or an empty file.
 *
 * @param {unknown} error may have it as its `cause`
 * @returns {boolean}
 */
export function isDiskFull(error) {
  if (['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC'].includes(codeOf(error))) return true;
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause);
}
