/** The smallest export: reads all rows in order of time and writes CSV to /dev/null. Prints the duration in milliseconds. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import Database from 'libsql';

const CHUNK_ROWS = 1000;

const startedAt = performance.now();
const database = new Database(/** @type {string} */ (process.env.DATABASE_PATH), { readonly: true });
const rows = database
  .prepare(
    `select data.id, name, created_at, co2, voc from data join sensors on sensors.id = sensor
     order by created_at, data.id`,
  )
  .raw()
  .iterate();
const output = createWriteStream('/dev/null');
let text = 'created_at,sensor,co2,voc,id\r\n';
let count = 0;
for (const row of rows) {
  const [id, sensor, createdAt, co2, voc] =
    /** @type {[number, string, number, number | null, number | null]} */ (row);
  text += `${new Date(createdAt / 1000).toISOString()},${sensor},${co2 ?? ''},${voc ?? ''},${id}\r\n`;
  count += 1;
  if (count % CHUNK_ROWS !== 0) continue;
  if (!output.write(text)) await once(output, 'drain');
  text = '';
}
output.end(text);
await once(output, 'finish');
console.log(performance.now() - startedAt);
