import type Database from 'libsql';

/**
 * Returns a function that runs writes in a transaction that doesn't wait for the disk: they can be computed again, and
 * the write-ahead log loses none of them without all that came later.
 *
 * @param assertSameFiles throws if the database was deleted or replaced
 */
export function derivedWrites(database: Database.Database, assertSameFiles: () => void) {
  return (writes: () => void): void => {
    assertSameFiles();
    database.pragma('synchronous = NORMAL');
    try {
      database.exec('begin immediate');
      writes();
      database.exec('commit');
    } catch (error) {
      if (database.inTransaction) database.exec('rollback');
      throw error;
    } finally {
      database.pragma('synchronous = FULL');
    }
  };
}
