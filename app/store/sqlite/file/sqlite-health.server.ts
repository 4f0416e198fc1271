import { type ExecFileException, execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';
import type Database from 'libsql';
import { commandLine } from '../../../config/installation.server.js';
import { StoreUnavailableError } from '../../reading-store';
import { isDamaged, isDiskFull, isLocked } from './sqlite-errors.server.js';
import { tryInsert } from './sqlite-file.server.js';

/** How long a successful write proves that the next one will succeed. */
const WRITE_PROVES_MS = 10_000;
/** How often a failed write is tried again, however many ask. */
const RETRY_MS = 1000;
/** How long the check of a large file may take. */
const CHECK_TIMEOUT_MS = 60_000;

/**
 * Knows whether readings can be stored: from the last write, or if that was long ago, from an attempt.
 *
 * @param file checked for damage in a process of its own, because a check blocks until it has read the whole file
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
      `The database is damaged (${finding}). Stop the server and put a backup back: ${commandLine('restore', 'FILE')}. This file is kept beside it.`,
      60,
    );
    console.error(`[airboard] ${file}: ${damage.message}`);
  }

  /** Returns the store's error for an error of SQLite. */
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
      // Another process may write for a moment. Inserts wait for it, and report when it takes too long.
      if (!isLocked(error)) noteWrite(failure(error));
    }
  }

  return {
    noteWrite,
    failure,
    /** @throws StoreUnavailableError while writes fail, and for good once damage was found */
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
    /** Ends the check of the file, which would keep the log from being emptied. */
    async stop(): Promise<void> {
      clearImmediate(starting);
      await checking?.stop();
    },
  };
}

/** Runs SQLite's quick check at low priority, and reports the first finding. */
function checkFile(file: string, onDamage: (finding: string) => void): { stop(): Promise<void> } {
  let isStopped = false;
  // The scripts run from the project's folder, and so does the server.
  const checking = promisify(execFile)(process.execPath, ['scripts/quick-check.js', file], {
    timeout: CHECK_TIMEOUT_MS,
  });
  const ended = checking.then(
    ({ stdout }) => {
      const finding = stdout.trim();
      if (!isStopped && finding !== 'ok') onDamage(finding);
    },
    (error: ExecFileException) => {
      // A service manager and Ctrl-C signal the check too, before the server stops.
      if (isStopped || (!error.killed && ['SIGTERM', 'SIGINT', 'SIGHUP'].includes(error.signal ?? '')))
        return;
      const reason = error.killed ? `it takes longer than ${CHECK_TIMEOUT_MS / 1000} s` : error.message;
      console.error(`[airboard] ${file} was not checked for damage: ${reason}`);
    },
  );
  try {
    setPriority(checking.child.pid as number, 10);
  } catch {
    // It has ended, or priorities are not ours to set.
  }
  return {
    stop() {
      isStopped = true;
      checking.child.kill();
      return ended;
    },
  };
}
