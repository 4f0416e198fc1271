/** The smallest server that stores readings: `node:http`, the same SQLite settings, one commit per post. */
import { createServer } from 'node:http';
import { openSqliteFile } from '../../app/store/sqlite/sqlite-file.server.js';

const { database } = openSqliteFile(/** @type {string} */ (process.env.DATABASE_PATH));
const insert = database.prepare('insert into data (co2, voc, created_at) values (?, ?, ?)');

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    if (request.method !== 'POST') return response.end();
    const { co2, voc } = JSON.parse(body);
    const created_at = new Date().toISOString();
    const id = insert.run(co2, voc, created_at).lastInsertRowid;
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ id, co2, voc, created_at }));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
