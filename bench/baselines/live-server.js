/** The smallest live feed: a `node:http` server that broadcasts each post to every open stream and stores nothing. */
import { createServer } from 'node:http';

/** @type {Set<import('node:http').ServerResponse>} */
const streams = new Set();
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
    id += 1;
    const reading = JSON.stringify({ id, co2, voc, created_at: new Date().toISOString() });
    const event = `id: ${id}\ndata: {"new": ${reading}}\n\n`;
    for (const stream of streams) stream.write(event);
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(reading);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
