import type Database from 'libsql';

/**
 * The numbers of rows in the prepared statements. A call of libsql costs as much as several rows, so one statement
 * inserts many.
 */
const SIZES = [64, 8, 1] as const;

export type Value = string | number | null;

/**
 * Prepares inserts of many rows.
 *
 * @param table the table's name and columns, such as `sensors (id, name)`
 * @param columns the number of these columns
 * @param onConflict SQL after the values
 */
export function sqliteRowInserts(
  database: Database.Database,
  table: string,
  columns: number,
  onConflict: string,
): (rows: readonly Value[][]) => void {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  const statements = SIZES.map((size) => ({
    size,
    insert: database.prepare(`insert into ${table} values ${Array(size).fill(row).join(', ')} ${onConflict}`),
  }));
  return (rows) => {
    for (let start = 0; start < rows.length; ) {
      const left = rows.length - start;
      const { size, insert } = statements.find(({ size }) => size <= left) as (typeof statements)[number];
      insert.run(...rows.slice(start, start + size).flat());
      start += size;
    }
  };
}
