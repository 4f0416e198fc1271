import { type ExecFileException, execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';
import type Database from 'libsql';
import { commandLine } from '../../../config/installation.server.js';
import { StoreUnavailableError } from '../../reading-store';
import { isDamaged, isDiskFull, isLocked } from './sqlite-errors.server.js';
import { tryInsert } from './sqlite-file.server.js';

/** A successful write proves for this long that the next one will succeed. */
const WRITE_PROVES_MS = 10_000;
/** The interval of test writes after a failed write, however many requests come. */
const RETRY_MS = 1000;
/** The time limit for checking a large file. */
const CHECK_TIMEOUT_MS = 60_000;

/**
 * Tracks whether readings can be stored, by the last write or, if that was long ago, by a test write.
 *
 * @param file checked for damage in a separate process, because a check blocks until it has read the whole file
 * @param assertSameFiles throws if the database was deleted or replaced
 */
export function sqliteHealth(file: string, database: Database.Database, assertSameFiles: () => void) {
  let lastWrite: { at: number; error: StoreUnavailableError | null } = { at: performance.now(), error: null };
  let damage: StoreUnavailableError | null = null;
  let checking: { stop(): Promise<void> } | undefined;
  const starting = setImmediate(() => {
    checking = checkFile(file, noteDamage);
  });

  function noteWrite(error: StoreUnavailableError | null = null): void {
    lastWrite = { at: performance.now(), error };
  }

  function noteDamage(finding: string): void {
    if (damage) return;
    damage = new StoreUnavailableError(
      `The database is damaged (${finding}). Stop the server and restore a backup: ${commandLine('restore', 'FILE')}. This file is kept beside it.`,
      60,
    );
    console.error(`[airboard] ${file}: ${damage.message}`);
  }

  /** Converts an SQLite error to the store's error. */
  function failure(error: unknown): StoreUnavailableError {
    if (error instanceof StoreUnavailableError) return error;
    if (isLocked(error)) return new StoreUnavailableError('Another process has the database locked.');
    const { message } = error as Error;
    if (isDiskFull(error)) return new StoreUnavailableError('The disk is full: nothing can be stored.', 60);
    if (isDamaged(error)) noteDamage(message);
    return damage ?? new StoreUnavailableError(`The database can't be used: ${message}.`);
  }

  function attemptWrite(): void {
    try {
      tryInsert(database);
      noteWrite();
    } catch (error) {
      // Another process may be writing for a moment. Inserts wait for that, and fail if the wait is too long.
      if (!isLocked(error)) noteWrite(failure(error));
    }
  }

  return {
    noteWrite,
    failure,
    /** @throws StoreUnavailableError while writes fail, and permanently once damage was found */
    assertHealthy(): void {
      if (damage) throw damage;
      try {
        assertSameFiles();
      } catch (error) {
        throw failure(error);
      }
      const validMs = lastWrite.error ? RETRY_MS : WRITE_PROVES_MS;
      if (performance.now() - lastWrite.at > validMs) attemptWrite();
      if (lastWrite.error) throw lastWrite.error;
    },
    /** Ends the check of the file, because its read would prevent the last checkpoint. */
    async stop(): Promise<void> {
      clearImmediate(starting);
      await checking?.stop();
    },
  };
}

/** Runs SQLite's quick check at low priority and reports the first finding. */
function checkFile(file: string, onDamage: (finding: string) => void): { stop(): Promise<void> } {
  let isStopped = false;
  // The server runs in the project's folder, so a relative path is enough.
  const checking = promisify(execFile)(process.execPath, ['scripts/quick-check.js', file], {
    timeout: CHECK_TIMEOUT_MS,
  });
  const ended = checking.then(
    ({ stdout }) => {
      const finding = stdout.trim();
      if (!isStopped && finding !== 'ok') onDamage(finding);
    },
    (error: ExecFileException) => {
      // A service manager or Ctrl-C may also end the check, before it stops the server.
      if (isStopped || (!error.killed && ['SIGTERM', 'SIGINT', 'SIGHUP'].includes(error.signal ?? '')))
        return;
      const reason = error.killed ? `it takes longer than ${CHECK_TIMEOUT_MS / 1000} s` : error.message;
      console.error(`[airboard] ${file} was not checked for damage: ${reason}`);
    },
  );
  try {
    setPriority(checking.child.pid as number, 10);
  } catch {
    // The process has ended, or this user may not set priorities.
  }
  return {
    stop() {
      isStopped = true;
      checking.child.kill();
      return ended;
    },
  };
}
