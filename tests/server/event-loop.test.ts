import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seedDatabase } from '../support/database';
import { longestHold, WITH_HOLDS } from '../support/holds';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { report, size } from '../support/size';

vi.setConfig({ hookTimeout: 300_000 });

/** Far more than a client takes at once; unbounded, reading 100,000 in one turn would take 0.3 s. */
const STORED = size(10_000_000, 100_000);
const HELD_MS = 50;
/**
 * A busy disk, or a garbage collector whose threads wait for a processor, disturbs an attempt. A request that holds the
 * loop does so in each.
 */
const ATTEMPTS = 5;

let server: RunningServer;
/** The version of the build, without which Remix doesn't look at what a client asks of its manifest. */
let version: string;

beforeAll(async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await seedDatabase(databasePath, STORED);
  server = await startServer({ databasePath, env: WITH_HOLDS });
  const page = await (await fetch(server.url)).text();
  version = /manifest-(\w+)\.js/.exec(page)?.[1] as string;
});

afterAll(() => server.stop());

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n`;
const post = (body: string) =>
  `POST /api/data HTTP/1.1\r\nHost: board\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Sends a request, and takes the answer as fast as it comes until it contains a text, or to its end. */
function take(request: string, until?: string): Promise<void> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  socket.write(request);
  return new Promise((resolve, reject) => {
    let tail = '';
    socket.on('data', (part: string) => {
      if (until === undefined) return;
      tail = tail.slice(-until.length) + part;
      if (tail.includes(until)) socket.destroy();
      else tail = tail.slice(-until.length);
    });
    socket.on('close', () => resolve()).on('error', reject);
  });
}

test.each<[string, request: string, count: number, until?: string]>([
  ['reads every reading as fast as it can', get('/api/data'), 1],
  ['exports every reading as fast as it can', get('/api/data?format=csv'), 1],
  ['exports a sensor that has no readings', get('/api/data?format=csv&sensor=none'), 20],
  [
    'follows a sensor that has no readings, from the first id',
    get('/api/live?sensor=none&after=0'),
    20,
    ': ',
  ],
  ['resumes a stream from the first reading', get('/api/live?after=0'), 1, `id: ${STORED}\n`],
  ['asks for more readings than there are', get('/api/data?limit=99999999'), 20, '\r\n[{'],
  ['asks for more ids than there are', get('/api/data?limit=99999999&after=1'), 20, '\r\n[{'],
  ['asks for all of the history', get('/api/history'), 20],
  ['asks for the numbers of all readings', get('/api/summary'), 5],
  ['asks for the pattern of all readings', get('/api/pattern?by=day&zone=Asia/Kathmandu'), 5],
  ['asks for an address of many segments', get('/a'.repeat(7000)), 1],
  ['asks for shorter addresses of many segments', get('/a'.repeat(1000)), 20],
  ['asks Remix for the routes of many segments', get(`/__manifest?version=V&p=${'/a'.repeat(3700)}`), 5],
  ['sends numbers of 16,000 digits', post(`{"co2": "${'1'.repeat(16_000)}x", "voc": 1}`), 20],
])('nobody waits for a client that %s', async (name, text, count, until) => {
  const request = text.replace('version=V', `version=${version}`);
  let heldMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && heldMs >= HELD_MS; attempt++) {
    await longestHold(server);
    await Promise.all(Array.from({ length: count }, () => take(request, until)));
    heldMs = await longestHold(server);
    report(`${STORED} readings, a client ${name}: the event loop is held for ${heldMs} ms at most`);
  }
  expect(heldMs).toBeLessThan(HELD_MS);
});
