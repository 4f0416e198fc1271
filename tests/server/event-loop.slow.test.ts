import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  COSTLY,
  type CostlyRequests,
  changeManyDays,
  createCostlyStore,
  forgetCached,
  PATIENCE_MS,
} from '../support/hostile/costly-requests';
import { post } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { longestHold, WITH_HOLDS } from '../support/server/vitals';
import { report, size } from '../support/size';
import { until } from '../support/until';

const HISTORY_MS = 900_000;
vi.setConfig({ hookTimeout: HISTORY_MS });

/** Far more than a client takes at once; unbounded, reading 100,000 in one turn would take 0.3 s. */
const STORED = size(10_000_000, 100_000);
const HELD_MS = 100;
/**
 * A busy disk, or a garbage collector whose threads wait for a processor, disturbs an attempt. A request that holds the
 * loop does so in each.
 */
const ATTEMPTS = 5;

let server: RunningServer;
let databasePath: string;
/** The version of the build, without which Remix doesn't look at what a client asks of its manifest. */
let version: string;

beforeAll(async () => {
  databasePath = `${temporaryFolder()}/readings.db`;
  await createCostlyStore(databasePath, STORED);
  server = await startServer({ databasePath, env: { ...WITH_HOLDS, POSTS_PER_MINUTE: '0' } });
  const page = await (await fetch(server.url)).text();
  version = /manifest-(\w+)\.js/.exec(page)?.[1] as string;
  await until(isHistoryComplete, HISTORY_MS);
});

const isHistoryComplete = () => server.output().includes('the history is complete');

afterAll(() => server.stop());

/**
 * Sends a request, and takes the answer as fast as it comes until the client leaves, or to its end. Returns the status
 * of the answer; null if the client left before.
 */
function take(
  request: Buffer,
  { until, patienceMs }: Pick<CostlyRequests, 'until' | 'patienceMs'> = {},
): Promise<number | null> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  socket.write(request);
  if (patienceMs !== undefined) setTimeout(() => socket.destroy(), patienceMs).unref();
  return new Promise((resolve, reject) => {
    let status = '';
    let tail = '';
    socket.on('data', (part: string) => {
      status ||= part.slice(0, 12);
      if (until === undefined) return;
      tail = tail.slice(-until.length) + part;
      if (tail.includes(until)) socket.destroy();
      else tail = tail.slice(-until.length);
    });
    socket.on('close', () => resolve(status ? Number(status.slice(9)) : null)).on('error', reject);
  });
}

/** What a turn may take less than `HELD_MS` of: the time on the clock, or without the waits for the disk. */
type Held = 'heldMs' | 'processorMs';

/**
 * Expects that no turn of the event loop is held while `ask` runs, which is tried again if one is. The system has nothing
 * of the database in its cache when it begins.
 */
async function expectNoHold(name: string, ask: () => Promise<unknown>, held: Held = 'heldMs'): Promise<void> {
  let longestMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && longestMs >= HELD_MS; attempt++) {
    forgetCached(databasePath);
    await longestHold(server);
    await ask();
    const hold = await longestHold(server);
    longestMs = hold[held];
    const ofThat = `${hold.processorMs} ms of that on a processor`;
    report(
      `${STORED} readings, a client ${name}: the event loop is held for ${hold.heldMs} ms at most, ${ofThat}`,
    );
  }
  expect(longestMs).toBeLessThan(HELD_MS);
}

test.each(COSTLY)('nobody waits for a client that $name', ({ name, requests, status = 200, ...client }) =>
  expectNoHold(name, async () => {
    const answers = await Promise.all(requests().map((request) => take(request, client)));
    for (const answer of answers) expect([status, client.patienceMs ? null : status]).toContain(answer);
  }),
);

test('nobody waits for a client that resumes a stream from the first reading', () =>
  expectNoHold('resumes a stream', () =>
    take(Buffer.from('GET /api/live?after=0 HTTP/1.1\r\nHost: board\r\n\r\n'), {
      until: `id: ${STORED}\n`,
      patienceMs: PATIENCE_MS,
    }),
  ));

test('nobody waits for a client that asks Remix for the routes of many segments', () => {
  const target = `/__manifest?version=${version}&p=${'/a'.repeat(3700)}`;
  const request = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n`);
  return expectNoHold('asks for routes', () => Promise.all(Array.from({ length: 5 }, () => take(request))));
});

test('nobody waits for clients that stop reading', () =>
  expectNoHold('stops reading', async () => {
    const stalled = Array.from({ length: 10 }, () => connect(server.port, '127.0.0.1').pause());
    for (const socket of stalled) socket.write('GET /api/data?format=csv HTTP/1.1\r\nHost: board\r\n\r\n');
    await take(Buffer.from('GET /api/data?limit=50000 HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n'));
    for (const socket of stalled) socket.destroy();
  }));

test('nobody waits while the background computes the history of all readings', () =>
  expectNoHold(
    'posts while the history is computed',
    async () => {
      changeManyDays(databasePath);
      await server.stop();
      server = await server.restart();
      await longestHold(server);
      // `until` pauses, so that the posts leave time for the computation.
      await until(async () => {
        expect((await post(server.url, { sensor: 'Beat', co2: 415, voc: 120 })).status).toBe(201);
        return isHistoryComplete();
      }, HISTORY_MS);
    },
    // The event loop waits until the disk has confirmed a post, and the disk is busy with the check of the file.
    'processorMs',
  ));
