import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type Database from 'libsql';
import { StoreUnavailableError } from '../../reading-store';

/**
 * Remembers which files the paths lead to, by device and inode. SQLite continues to write to an open file after it was
 * deleted or replaced, and the next start would find none of these writes.
 *
 * @returns a function that throws `StoreUnavailableError` if a path no longer leads to the same file
 * @param paths of existing files, the database first
 * @param isOverwritten returns true if the database's content was replaced, as by `cp` to its path
 */
export function sameFiles(
  paths: readonly string[],
  isOverwritten: () => boolean,
): (mayBeStored?: boolean) => void {
  const known = paths.map(identityOf);
  return (mayBeStored = false) => {
    const changed = paths.findIndex((path, i) => identityOf(path) !== known[i]);
    // Another server that uses the file after its lock was removed also changes the stamp, so the file counts as
    // overwritten.
    if (changed < 0 && !isOverwritten()) return;
    const path = paths[Math.max(changed, 0)] as string;
    const change = changed < 0 ? 'overwritten' : identityOf(path) === null ? 'deleted' : 'replaced';
    const advice = changed < 0 ? 'restart the server' : 'move the original back, or restart the server';
    throw new StoreUnavailableError(
      `${basename(path)} was ${change} while the server was using it. Nothing is stored now: ${advice}.`,
      60,
      mayBeStored,
    );
  };
}

function identityOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev} ${stats.ino}` : null;
}

/**
 * Returns the functions that run writes in a transaction.
 *
 * @param assertSameFiles throws if the database was deleted or replaced
 */
export function sqliteWrites(database: Database.Database, assertSameFiles: (mayBeStored?: boolean) => void) {
  /** Returns when the writes are on the disk. */
  function write(writes: () => void): void {
    assertSameFiles();
    try {
      database.exec('begin immediate');
      writes();
      database.exec('commit');
    } catch (error) {
      if (database.inTransaction) database.exec('rollback');
      throw error;
    }
    assertSameFiles(true);
  }

  /**
   * Doesn't wait for the disk. For derived data that can be computed again. If a power cut removes such a transaction from
   * the write-ahead log, it also removes all later ones.
   */
  function writeSoon(writes: () => void): void {
    database.pragma('synchronous = NORMAL');
    try {
      write(writes);
    } finally {
      database.pragma('synchronous = FULL');
    }
  }

  return { write, writeSoon };
}
