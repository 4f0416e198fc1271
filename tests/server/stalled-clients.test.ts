import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, openConnection } from '../support/connection';
import { seedDatabase } from '../support/database';
import { openEventStream } from '../support/event-stream';
import { RawClient } from '../support/raw-client';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { inLanes } from '../support/size';
import { until } from '../support/until';
import { MiB, readVitals, vitalsAtRest, WITH_VITALS } from '../support/vitals';

/** 150,000 readings are 11 MiB of JSON: many times what two sockets can hold between them. */
const STORED = 150_000;
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: board\r\n${headers}\r\n`;

let server: RunningServer;

beforeAll(async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await seedDatabase(databasePath, STORED);
  server = await startServer({ databasePath, env: { POSTS_PER_MINUTE: '0', ...WITH_VITALS } });
});

afterAll(() => server.stop());

/** So many clients that ask and then read nothing. */
function stall(count: number, text: string): Connection[] {
  return Array.from({ length: count }, () => {
    const connection = openConnection(server.port, text);
    connection.socket.pause();
    return connection;
  });
}

test.each([
  ['every reading', get('/api/data')],
  ['every reading, by another address', get('/api/data/')],
  ['every reading, compressed', get('/api/data', 'Accept-Encoding: gzip, br\r\n')],
  ['a large part of them', get('/api/data?limit=140000')],
  ['all that a stream has missed', get('/api/live?after=0')],
  ['every reading twice on one connection', get('/api/data').repeat(2)],
  ['a stream, and behind it what it has missed', get('/api/live') + get('/api/live?after=0')],
])(
  'twenty clients that ask for %s and read nothing cost little memory, and none when they leave',
  async (_, text) => {
    const before = await vitalsAtRest(server);
    const stalled = stall(20, text);
    await until(async () => (await readVitals(server)).resources.TCPSocketWrap === 20);
    // The server is done with all it will do for them when it has time for others.
    for (let i = 0; i < 20; i++) await fetch(`${server.url}/api/data?limit=1`);
    const meanwhile = await readVitals(server);
    // Unbounded, one of them alone would hold 11 MiB.
    expect(meanwhile.heldBytes - before.heldBytes).toBeLessThan(20 * MiB);
    for (const { socket } of stalled) socket.destroy();
    const after = await vitalsAtRest(server);
    expect(after.heldBytes - before.heldBytes).toBeLessThan(6 * MiB);
    expect(after.objects.ServerResponse).toBeLessThan(10);
  },
);

test('a stream that nobody reads is closed at a bound, and its client resumes without a gap', async () => {
  const follower = await openEventStream(server.url);
  const [stalled] = stall(1, get('/api/live'));
  if (!stalled) throw new Error('no client');
  await until(async () => ((await readVitals(server)).resources.TCPSocketWrap ?? 0) >= 2);
  const held = (await readVitals(server)).heldBytes;

  const clients = Array.from({ length: 8 }, () => new RawClient(server.port));
  let posted = 0;
  // The buffers of two sockets take some MiB before the server has to hold anything.
  while (!stalled.isClosed() && posted < 200_000) {
    await inLanes(8, 1000, async (_, lane) => clients[lane]?.post('{"co2": 415, "voc": 120}'));
    posted += 1000;
    if (/ECONN|closed/.test(String(stalled.socket.errored))) break;
    if (!(await isStillServed(stalled))) break;
  }
  expect(posted).toBeLessThan(200_000);
  expect((await readVitals(server)).heldBytes - held).toBeLessThan(12 * MiB);
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
  for (const client of clients) client.close();
});

/** Whether the server still holds the connection of a client that does not read, and can't see its end. */
async function isStillServed(_: Connection): Promise<boolean> {
  return ((await readVitals(server)).resources.TCPSocketWrap ?? 0) >= 10;
}
