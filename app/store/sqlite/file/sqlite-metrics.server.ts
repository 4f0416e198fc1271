import type Database from 'libsql';
import { METRICS, type MetricField } from '../../../readings/metric';
import { addMetrics, fieldsOf } from '../schema/sqlite-roll-up-schema.server.js';

export type SqliteMetrics = ReturnType<typeof sqliteMetrics>;

/**
 * The metrics that a file has columns of. A file gets those of a further metric with the first reading that has it: others
 * would take a byte of each reading and four of each slot.
 */
export function sqliteMetrics(database: Database.Database) {
  let fields = read();

  function read(): readonly MetricField[] {
    const columns = fieldsOf(database);
    return METRICS.map(({ field }) => field).filter((field) => columns.includes(field));
  }

  return {
    fields: (): readonly MetricField[] => fields,
    /** Adds the columns of metrics that the file doesn't have. Call in a transaction. */
    add(missing: readonly MetricField[]): void {
      addMetrics(database, missing);
      fields = read();
    },
    /** Reads the columns again, such as after a rollback. */
    refresh(): void {
      const found = read();
      // None if the table is missing: queries of the known fields then say so.
      if (found.length > 0) fields = found;
    },
    /** Returns a function that returns what `make` returned for the current fields. */
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
