/**
 * The smallest batch insert: one prepared statement, and a transaction per thousand rows. Stores `COUNT` readings a second
 * apart, starting at `START` in milliseconds since 1970, and prints the duration in milliseconds.
 */
import { openRows } from './open-rows.js';

const { COUNT, START } = process.env;
const { database, close } = openRows();
const insert = database.prepare('insert into data (sensor, created_at, co2, voc) values (1, ?, ?, ?)');
const rows = Array.from({ length: Number(COUNT) }, (_, i) => [
  (Number(START) + i * 1000) * 1000,
  400 + (i % 1000),
  i % 500,
]);

const startedAt = performance.now();
for (let i = 0; i < rows.length; i += 1000) {
  database.exec('begin immediate');
  for (const row of rows.slice(i, i + 1000)) insert.run(...row);
  database.exec('commit');
}
console.log(performance.now() - startedAt);
close();
