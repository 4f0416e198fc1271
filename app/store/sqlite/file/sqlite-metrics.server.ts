import type Database from 'libsql';
import { METRICS, type MetricField } from '../../../readings/metric';
import { addMetrics, fieldsOf } from '../schema/sqlite-roll-up-schema.server.js';

export type SqliteMetrics = ReturnType<typeof sqliteMetrics>;

/**
 * The metrics for which a file has columns. A further metric's columns are added with its first reading, because they
 * take a byte per reading and four per slot.
 */
export function sqliteMetrics(database: Database.Database) {
  let fields = read();

  function read(): readonly MetricField[] {
    const columns = fieldsOf(database);
    return METRICS.map(({ field }) => field).filter((field) => columns.includes(field));
  }

  return {
    fields: (): readonly MetricField[] => fields,
    /** Adds the columns of metrics that the file doesn't have. Call it in a transaction. */
    add(missing: readonly MetricField[]): void {
      addMetrics(database, missing);
      fields = read();
    },
    /** Reads the columns again, for example after a rollback. */
    refresh(): void {
      const found = read();
      // If the table is missing, there are no columns. Keeping the known ones makes queries report the missing table.
      if (found.length > 0) fields = found;
    },
    /** Returns a function that returns the result of `make` for the current fields, cached until they change. */
    each<T>(make: (fields: readonly MetricField[]) => T): () => T {
      let known = fields;
      let made = make(known);
      return () => {
        if (known !== fields) {
          known = fields;
          made = make(known);
        }
        return made;
      };
    },
  };
}
