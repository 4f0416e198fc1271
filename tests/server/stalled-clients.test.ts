import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Connection, openConnection } from '../support/connection';
import { seedDatabase } from '../support/database';
import { openEventStream } from '../support/event-stream';
import { RawClient } from '../support/raw-client';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { inLanes } from '../support/size';
import { until } from '../support/until';
import {
  activeResources,
  expectNoGrowth,
  MiB,
  readVitals,
  type Vitals,
  vitalsAtRest,
  WITH_VITALS,
} from '../support/vitals';

/** 150,000 readings are 11 MiB of JSON: many times what two sockets can hold between them. */
const STORED = 150_000;
const LANES = 8;
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: board\r\n${headers}\r\n`;

let server: RunningServer;
let atRest: Vitals;

beforeAll(async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await seedDatabase(databasePath, STORED);
  server = await startServer({ databasePath, env: { POSTS_PER_MINUTE: '0', ...WITH_VITALS } });
  atRest = await vitalsAtRest(server);
});

afterAll(() => server.stop());

const open = new Set<Connection>();
function letGo(): void {
  for (const { socket } of open) socket.destroy();
  open.clear();
}
afterEach(letGo);

/** So many clients that ask and then read nothing. */
function stall(count: number, text: string): Connection[] {
  return Array.from({ length: count }, () => {
    const connection = openConnection(server.port, text);
    connection.socket.pause();
    open.add(connection);
    return connection;
  });
}

test.each([
  ['every reading', get('/api/data')],
  ['every reading, by another address', get('/api/data/')],
  ['every reading, compressed', get('/api/data', 'Accept-Encoding: gzip, br\r\n')],
  ['all that a stream has missed', get('/api/live?after=0')],
  ['every reading twice on one connection', get('/api/data').repeat(2)],
  ['a stream, and behind it what it has missed', get('/api/live') + get('/api/live?after=0')],
])('twenty clients that ask for %s and read nothing cost little memory', async (_, text) => {
  stall(20, text);
  await until(async () => (await connections()) >= 20);
  // The server is done with all it will do for them when it has time for others.
  const other = new RawClient(server.port);
  for (let i = 0; i < 20; i++) await other.send(get('/api/data?limit=1'));
  other.close();
  // Unbounded, each of them alone would hold 11 MiB.
  expect((await readVitals(server)).heldBytes - atRest.heldBytes).toBeLessThan(20 * MiB);
  letGo();
  await until(async () => (await connections()) === 0);
});

test('a stream that nobody reads is closed at a bound, and its client resumes without a gap', async () => {
  const follower = await openEventStream(server.url);
  const [stalled] = stall(1, get('/api/live')) as [Connection];
  await until(async () => (await connections()) >= 2);
  const held = (await readVitals(server)).heldBytes;
  const before = await connections();

  const posters = Array.from({ length: LANES }, () => new RawClient(server.port));
  let posted = 0;
  // The buffers between two sockets take some MiB before the server has to hold anything.
  do {
    await inLanes(LANES, 1000, async (_, lane) => posters[lane]?.post('{"co2": 415, "voc": 120}'));
    posted += 1000;
  } while ((await connections()) > before + LANES - 1 && posted < 100_000);
  expect(posted).toBeLessThan(100_000);
  expect((await readVitals(server)).heldBytes - held).toBeLessThan(12 * MiB);
  for (const poster of posters) poster.close();
  await follower.untilInserts(posted);
  follower.close();

  stalled.socket.resume();
  await until(stalled.isClosed);
  const ids = [...stalled.received().matchAll(/^id: (\d+)\ndata: .*\n\n/gm)].map(([, id]) => Number(id));
  const last = ids.at(-1) ?? STORED;
  const resumed = await openEventStream(server.url, { lastEventId: last });
  await resumed.untilInserts(STORED + posted - last);
  resumed.close();
  const all = [...ids, ...resumed.inserts().map(({ id }) => id)];
  expect(all).toEqual(Array.from({ length: posted }, (_, i) => STORED + 1 + i));
});

/** How many connections the server holds. */
async function connections(): Promise<number> {
  return (await activeResources(server)).TCPSocketWrap ?? 0;
}

test('streams that were open while garbage was collected end with their clients', async () => {
  const streams = Array.from({ length: 100 }, () => openConnection(server.port, get('/api/live')));
  for (const stream of streams) open.add(stream);
  await until(() => streams.every(({ received }) => received().includes('retry:')));
  expect((await readVitals(server)).objects.ServerResponse).toBeGreaterThanOrEqual(100);
  letGo();
  expectNoGrowth(atRest, await vitalsAtRest(server));
});

test('when all of them have left, nothing of them is there any more', async () => {
  expectNoGrowth(atRest, await vitalsAtRest(server));
});
