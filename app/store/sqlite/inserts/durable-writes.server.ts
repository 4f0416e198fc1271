import type Database from 'libsql';

/**
 * Returns a function that runs writes in a transaction, which is on the disk when it returns.
 *
 * @param assertSameFiles throws if the database was deleted or replaced
 */
export function durableWrites(database: Database.Database, assertSameFiles: (mayBeStored?: boolean) => void) {
  return (writes: () => void): void => {
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
  };
}
