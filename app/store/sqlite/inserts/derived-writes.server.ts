import type Database from 'libsql';

/**
 * Returns a function that runs writes in a transaction that doesn't wait for the disk: they can be computed again, and
 * the write-ahead log loses none of them without all that came later.
 *
 * @param writeDurably runs writes in a transaction that waits for it
 */
export function derivedWrites(
  database: Database.Database,
  writeDurably: (writes: () => void) => void,
): (writes: () => void) => void {
  return (writes) => {
    database.pragma('synchronous = NORMAL');
    try {
      writeDurably(writes);
    } finally {
      database.pragma('synchronous = FULL');
    }
  };
}
