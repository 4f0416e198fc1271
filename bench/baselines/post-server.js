/** The smallest server that stores readings: `node:http`, the product's SQLite settings, and one commit per post. */
import { createServer } from 'node:http';
import { openRows } from './open-rows.js';

const { database } = openRows();
const insert = database.prepare('insert into data (sensor, created_at, co2, voc) values (1, ?, ?, ?)');
let lastTime = 0;

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    if (request.method !== 'POST') return response.end();
    const { co2, voc } = JSON.parse(body);
    const now = Date.now();
    // Each reading needs a unique time.
    lastTime = Math.max(now * 1000, lastTime + 1);
    const id = insert.run(lastTime, co2, voc).lastInsertRowid;
    const created_at = new Date(now).toISOString();
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ id, co2, voc, created_at }));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
