/**
 * The smallest live feed: node:http, a bare broadcast to every open event stream. A reading is durable before
 * it is told, as in the product; with KEEP=no nothing is kept, to see what that is of the whole.
 */
import { createServer } from 'node:http';
import { openSqliteFile } from '../../app/store/sqlite-file.server.js';

const { database } = openSqliteFile(/** @type {string} */ (process.env.DATABASE_PATH));
const insert = database.prepare('insert into data (co2, voc, created_at) values (?, ?, ?)');

/** @type {Set<import('node:http').ServerResponse>} */
const streams = new Set();
/** @type {number | bigint} */
let id = 0;

createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': hello\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    const { co2, voc } = JSON.parse(body);
    const created_at = new Date().toISOString();
    id = process.env.KEEP === 'no' ? Number(id) + 1 : insert.run(co2, voc, created_at).lastInsertRowid;
    const reading = JSON.stringify({ id, co2, voc, created_at });
    const event = `id: ${id}\ndata: {"new": ${reading}}\n\n`;
    for (const stream of streams) stream.write(event);
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(reading);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
