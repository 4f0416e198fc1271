import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openEventStream } from '../support/server/event-stream';
import { type Connection, openConnection, RawClient } from '../support/server/raw-client';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import {
  activeResources,
  expectNoGrowth,
  MiB,
  readHeldBytes,
  type Vitals,
  vitalsAtRest,
  WITH_VITALS,
} from '../support/server/vitals';
import { until } from '../support/until';

/** 150,000 readings are 11 MiB of JSON. The buffers of two sockets hold about 4 MiB. */
const STORED = 150_000;
const CLIENTS = 10;
/** A reading with the longest possible event: 500 bytes. */
const READING = `{"co2": -1.2345678901234567e-300, "voc": -1.2345678901234567e-300, "sensor": "${'🍳'.repeat(64)}"}`;
const BATCH = 1000;
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: board\r\n${headers}\r\n`;

let server: RunningServer;
let atRest: Vitals;

beforeAll(async () => {
  server = await startServerWith(STORED, { env: { POSTS_PER_MINUTE: '0', ...WITH_VITALS } });
  atRest = await vitalsAtRest(server);
});

afterAll(() => server.stop());

const open = new Set<Connection>();
function disconnect(): void {
  for (const { socket } of open) socket.destroy();
  open.clear();
}
afterEach(disconnect);

/** Opens connections that send `text` and then read nothing. */
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
  ['every reading, at the address with a slash', get('/api/data/')],
  ['every reading, compressed', get('/api/data', 'Accept-Encoding: gzip, br\r\n')],
  ['every reading as CSV', get('/api/data?format=csv')],
  ['all readings as a stream', get('/api/live?after=0')],
  ['every reading twice on one connection', get('/api/data').repeat(2)],
  ['a stream and, pipelined behind it, all readings', get('/api/live') + get('/api/live?after=0')],
])('ten clients that request %s and read nothing cost little memory', async (_, text) => {
  stall(CLIENTS, text);
  await until(async () => (await connections()) >= CLIENTS);
  // By the time the server answers another client, it has filled the buffers of the stalled connections.
  const other = new RawClient(server.port);
  for (let i = 0; i < 20; i++) await other.send(get('/api/data?limit=1'));
  other.close();
  // Without backpressure, each of them would hold 7 MiB until it is gone.
  await until(async () => (await readHeldBytes(server)) - atRest.heldBytes < CLIENTS * MiB);
  disconnect();
  await until(async () => (await connections()) === 0);
});

test('closes a stream at the maximum of unread data, and its client resumes without a gap', async () => {
  const follower = await openEventStream(server.url);
  const [stalled] = stall(1, get('/api/live')) as [Connection];
  await until(async () => (await connections()) >= 2);
  const held = await readHeldBytes(server);
  const before = await connections();

  const poster = new RawClient(server.port);
  let posted = 0;
  // The socket buffers hold a few MiB before the server has to buffer anything.
  do {
    expect((await poster.post(`[${Array(BATCH).fill(READING)}]`))?.status).toBe(201);
    posted += BATCH;
  } while ((await connections()) > before && posted < 100_000);
  expect(posted).toBeLessThan(100_000);
  expect((await readHeldBytes(server)) - held).toBeLessThan(12 * MiB);
  poster.close();
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

/** Returns the number of connections to the server. */
async function connections(): Promise<number> {
  return (await activeResources(server)).TCPSocketWrap ?? 0;
}

test('streams end with their clients, even after garbage collection', async () => {
  const before = await connections();
  const streams = Array.from({ length: 100 }, () => openConnection(server.port, get('/api/live')));
  for (const stream of streams) open.add(stream);
  await until(() => streams.every(({ received }) => received().includes('retry:')));
  // This collects garbage.
  await readHeldBytes(server);
  disconnect();
  // A client of this process may keep a connection, but not open another.
  await until(async () => (await connections()) <= before);
});

/** No client leaves memory, objects or listeners behind. */
afterAll(async () => {
  expectNoGrowth(atRest, await vitalsAtRest(server));
});
