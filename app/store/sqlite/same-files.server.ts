import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { StoreUnavailableError } from '../reading-store';

/**
 * Remembers which files these are, by device and inode. SQLite goes on writing to an open file that was deleted or
 * replaced, and the next start finds nothing of that.
 *
 * @returns a function that throws `StoreUnavailableError` if a path no longer leads to the same file
 * @param paths of files that exist
 */
export function sameFiles(paths: readonly string[]): (mayBeStored?: boolean) => void {
  const known = paths.map(identityOf);
  return (mayBeStored = false) => {
    paths.forEach((path, i) => {
      const identity = identityOf(path);
      if (identity === known[i]) return;
      const change = identity === null ? 'deleted' : 'replaced';
      throw new StoreUnavailableError(
        `${basename(path)} was ${change} while the server was using it. Nothing is stored until the server is restarted.`,
        60,
        mayBeStored,
      );
    });
  };
}

function identityOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev} ${stats.ino}` : null;
}
