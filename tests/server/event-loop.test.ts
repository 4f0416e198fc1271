import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, openConnection } from '../support/connection';
import { seedDatabase } from '../support/database';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { until } from '../support/until';
import { longestHold, WITH_VITALS } from '../support/vitals';

/** Far more than a client takes at once; unbounded, reading them in one turn would take a second. */
const STORED = 300_000;
/** The promise is 50 ms. The rest is for a machine whose processors have other work. */
const HELD_MS = 250;

let server: RunningServer;
/** The version of the build, without which Remix doesn't look at what a client asks of its manifest. */
let version: string;

beforeAll(async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await seedDatabase(databasePath, STORED);
  server = await startServer({ databasePath, env: WITH_VITALS });
  const page = await (await fetch(server.url)).text();
  version = /manifest-(\w+)\.js/.exec(page)?.[1] as string;
});

afterAll(() => server.stop());

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n`;
const post = (body: string) =>
  `POST /api/data HTTP/1.1\r\nHost: board\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const endsWith =
  (end: string) =>
  ({ received }: Connection) =>
    received().slice(-200).includes(end);
const hasBegun = ({ received }: Connection) => received().includes('\r\n[{');
const isClosed = (connection: Connection) => connection.isClosed();

test.each([
  ['reads every reading as fast as it can', get('/api/data'), endsWith('0\r\n\r\n'), 1],
  ['resumes a stream from the first reading', get('/api/live?after=0'), endsWith(`id: ${STORED}\n`), 1],
  ['asks for more readings than there are', get('/api/data?limit=99999999'), hasBegun, 20],
  ['asks for more ids than there are', get('/api/data?limit=99999999&after=1'), hasBegun, 20],
  ['asks for an address of many segments', get('/a'.repeat(7000)), isClosed, 1],
  ['asks for shorter addresses of many segments', get('/a'.repeat(1000)), isClosed, 20],
  [
    'asks Remix for the routes of many segments',
    get(`/__manifest?version=V&p=${'/a'.repeat(3700)}`),
    isClosed,
    5,
  ],
  ['sends numbers of 16,000 digits', post(`{"co2": "${'1'.repeat(16_000)}x", "voc": 1}`), isClosed, 20],
])('nobody waits for a client that %s', async (_, text, isDone, count) => {
  const sent = text.replace('version=V', `version=${version}`);
  await longestHold(server);
  const connections = Array.from({ length: count }, () => openConnection(server.port, sent));
  await until(() => connections.every((connection) => isDone(connection)), 50_000);
  for (const { socket } of connections) socket.destroy();
  expect(await longestHold(server)).toBeLessThan(HELD_MS);
});
