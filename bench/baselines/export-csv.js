/** The smallest export: reads all rows in order of time and writes CSV to /dev/null. Prints the duration in milliseconds. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import Database from 'libsql';

const PAGE_ROWS = 1000;

const startedAt = performance.now();
const database = new Database(/** @type {string} */ (process.env.DATABASE_PATH), { readonly: true });
const page = database
  .prepare(
    `select data.id, name, created_at, co2, voc from data join sensors on sensors.id = sensor
     where (created_at, data.id) > (?, ?) order by created_at, data.id limit ${PAGE_ROWS}`,
  )
  .raw();
const output = createWriteStream('/dev/null');
output.write('created_at,sensor,co2,voc,id\r\n');
let cursor = [Number.MIN_SAFE_INTEGER, 0];
for (;;) {
  const rows = /** @type {[number, string, number, number | null, number | null][]} */ (page.all(...cursor));
  let text = '';
  for (const [id, sensor, createdAt, co2, voc] of rows) {
    text += `${new Date(createdAt / 1000).toISOString()},${sensor},${co2 ?? ''},${voc ?? ''},${id}\r\n`;
    cursor = [createdAt, id];
  }
  if (!output.write(text)) await once(output, 'drain');
  if (rows.length < PAGE_ROWS) break;
}
output.end();
await once(output, 'finish');
console.log(performance.now() - startedAt);
