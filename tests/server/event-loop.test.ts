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

beforeAll(async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await seedDatabase(databasePath, STORED);
  server = await startServer({ databasePath, env: WITH_VITALS });
});

afterAll(() => server.stop());

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n`;

const endsWith =
  (end: string) =>
  ({ received }: Connection) =>
    received().slice(-200).includes(end);
const hasBegun = ({ received }: Connection) => received().includes('\r\n\r\n[');

test.each([
  ['reads every reading as fast as it can', get('/api/data'), endsWith('0\r\n\r\n'), 1],
  ['resumes a stream from the first reading', get('/api/live?after=0'), endsWith(`id: ${STORED}\n`), 1],
  ['asks for more readings than there are', get('/api/data?limit=99999999'), hasBegun, 20],
  ['asks for more ids than there are', get('/api/data?limit=99999999&after=1'), hasBegun, 20],
])('nobody waits for a client that %s', async (_, text, isDone, count) => {
  await longestHold(server);
  const connections = Array.from({ length: count }, () => openConnection(server.port, text));
  await until(() => connections.every((connection) => isDone(connection)), 50_000);
  for (const { socket } of connections) socket.destroy();
  expect(await longestHold(server)).toBeLessThan(HELD_MS);
});
