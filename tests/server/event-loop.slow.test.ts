import { spawnSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  BEGIN_OWN_INSERTS,
  dayAt,
  END_OWN_INSERTS,
  rowTotals,
  slotAt,
} from '../../app/store/sqlite/schema/sqlite-roll-up-schema.server.js';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { runSql } from '../support/readings/database';
import { post } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { longestHold, WITH_HOLDS } from '../support/server/vitals';
import { isFullSize, report, size } from '../support/size';
import { until } from '../support/until';

const SENSORS = size(100_000, 2000);
/** A reading every five minutes, above or below a threshold, for 26 years at full size. */
const FLAPPING_READINGS = size(2_700_000, 30_000);
const START = Date.UTC(2000, 0) * 1000;

/**
 * Creates a file with `count` readings of the unnamed sensor, one every 15 s, and other costly data: many sensors, and
 * one whose level changes all the time. The slots are computed, except for 60 days of the second sensor. The log says
 * when those are complete too. The roll-ups aren't computed.
 */
async function createCostlyStore(path: string, count: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await openSqliteStore(path).close();
  const database = new Database(path);
  const numbers = (rows: number) =>
    `with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${rows - 1})`;
  const columns = 'insert into data (sensor, created_at, co2, voc)';
  const first = Date.now() * 1000 - count * 15_000_000;
  database.exec(`pragma synchronous = off; begin; ${BEGIN_OWN_INSERTS};
    insert into sensors (id, name) values (1, ''), (2, '${FLAPPING}');
    ${numbers(count)}
    ${columns} select 1, ${first} + i * 15000000, 600 + i % 50, 200 + i % 20 from numbers;
    ${numbers(FLAPPING_READINGS)}
    ${columns} select 2, ${START} + i * 300000000, 600 + abs(random()) % 2 * 800, 100 + i % 7 from numbers;
    insert into slots select sensor, ${slotAt('created_at')} as slot, count(*), ${rowTotals(['co2', 'voc'])} from data
    group by sensor, slot;
    insert into stale_days (sensor, day) select distinct sensor, ${dayAt('start * 1000000')} from slots;
    update stale_days set slots_from = day where sensor = 2 and day < ${START / 1e6} + 60 * 86400;
    ${numbers(SENSORS)} insert into sensors (id, name) select 1000 + i, 'Sensor ' || i from numbers;
    ${numbers(SENSORS)}
    ${columns} select 1000 + i, ${START} + i * 7919 % 9999991 * 1000000, 500, 50 from numbers;
    insert into sensor_days select distinct ${dayAt('created_at')}, sensor from data;
    ${END_OWN_INSERTS}; commit; pragma wal_checkpoint(truncate)`);
  database.close();
}

/**
 * Drops a file from the system's page cache, as if it had not been read for long. Does nothing without GNU `dd`.
 */
function forgetCached(path: string): void {
  const file = openSync(path, 'r');
  // Only pages that are on the disk can be dropped.
  fdatasyncSync(file);
  closeSync(file);
  spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0']);
}

/** Marks many days as changed by another program, so the next start computes their history again. */
function changeManyDays(path: string): void {
  runSql(
    path,
    `insert into stale_days (sensor, day, slots_from)
    select sensor, start, start from roll_ups where step = 86400 order by start desc limit ${size(600, 60)}
    on conflict do update set slots_from = day`,
  );
}

/** Requests to send at once, and the expected result of each. */
interface CostlyRequests {
  /** Completes "stays responsive while a client …". */
  name: string;
  /** Returns the requests. Those that store readings are new in each call. */
  requests(): Buffer[];
  /** 200 by default. */
  status?: number;
  /** The client disconnects after receiving this text. */
  until?: string;
  /**
   * The client disconnects after this time in milliseconds, even without an answer. By default it reads the whole
   * answer.
   */
  patienceMs?: number;
}

/** The second sensor of `createCostlyStore`. The first is unnamed, and has nearly all readings. */
const FLAPPING = 'Flapping';

const ALL = 'from=2000-01-01T00:00:00Z&to=2099-12-31T00:00:00Z';

const get = (target: string, headers = '') =>
  Buffer.from(`GET ${target} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n${headers}\r\n`);

function postOf(type: string, body: string): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(
      `POST /api/data HTTP/1.1\r\nHost: board\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    ),
    bytes,
  ]);
}

const GZIP = 'Accept-Encoding: gzip\r\n';
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Long enough for thousands of pages. */
const PATIENCE_MS = 3000;

/** One request, or the same one many times at once. */
const reads = (
  name: string,
  request: Buffer,
  { count = 1, ...expected }: { count?: number; status?: number; until?: string } = {},
): CostlyRequests => ({
  name,
  requests: () => Array(count).fill(request),
  patienceMs: PATIENCE_MS,
  ...expected,
});

let batches = 0;

/** Readings of a separate sensor, this many milliseconds apart. */
function newReadings(count: number, intervalMs: number) {
  batches += 1;
  const sensor = `Batch ${batches}`;
  const time = (i: number) => new Date(Date.UTC(2001, 0) + i * intervalMs).toISOString();
  return Array.from({ length: count }, (_, i) => ({ sensor, created_at: time(i), co2: 400 + i, voc: 1 }));
}

type Readings = ReturnType<typeof newReadings>;

const postJson = (body: unknown) => postOf('application/json', JSON.stringify(body));

const postLines = (readings: Readings) =>
  postOf('application/x-ndjson', readings.map((reading) => JSON.stringify(reading)).join('\n'));

const postCsv = (readings: Readings) =>
  postOf(
    'text/csv',
    `sensor,created_at,co2,voc\n${readings.map((row) => Object.values(row).join()).join('\n')}\n`,
  );

const writes = (name: string, request: () => Buffer): CostlyRequests => ({
  name,
  requests: () => [request()],
  status: 201,
});

/** In `npm test`: one span with steps from readings, one from slots, and one from roll-ups. */
const HISTORY_DAYS = isFullSize ? [0.02, 1, 6, 20, 80, 365] : [1, 6, 365];
const ZONES = isFullSize
  ? ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe']
  : ['UTC', 'Asia/Kathmandu'];

const READS: CostlyRequests[] = [
  reads('reads every reading as fast as it can', get('/api/data')),
  reads('reads every reading compressed', get('/api/data', GZIP)),
  reads('exports every reading as fast as it can', get('/api/data?format=csv')),
  reads('exports a sensor', get('/api/data?format=csv&sensor=')),
  reads('exports a sensor without readings', get('/api/data?format=csv&sensor=none'), { count: 20 }),
  reads('reads a span of a sensor', get(`/api/data?sensor=&from=${daysAgo(365)}&to=${daysAgo(1)}`)),
  reads('reads a span in the order of ids', get(`/api/data?after=0&from=${daysAgo(2)}&to=${daysAgo(1)}`)),
  reads('reads everything, and disconnects', get('/api/data'), { count: 20, until: '"2000-01-20T' }),
  reads('follows a sensor without readings, from the first id', get('/api/live?sensor=none&after=0'), {
    count: 20,
    until: ': ',
  }),
  reads('requests more readings than there are', get('/api/data?limit=99999999'), {
    count: 20,
    until: '\r\n[{',
  }),
  reads('requests more ids than there are', get('/api/data?limit=99999999&after=1'), {
    count: 20,
    until: '\r\n[{',
  }),
  reads('requests more ids of a span than there are', get(`/api/data?limit=9999999&after=1&${ALL}`), {
    count: 5,
    until: '\r\n[{',
  }),
  reads('requests the data of pages', get('/api/data?limit=5760', GZIP), { count: 20 }),
  reads('requests all sensors', get('/api/sensors'), { count: 5 }),
  reads('requests the whole history', get('/api/history?sensor='), { count: 20 }),
  reads('requests the whole history in many steps', get('/api/history?sensor=&points=2000', GZIP), {
    count: 20,
  }),
  ...HISTORY_DAYS.map((days) =>
    reads(
      `requests ${days} days in many steps`,
      get(`/api/history?sensor=&points=2000&from=${daysAgo(days)}`),
      {
        count: 5,
      },
    ),
  ),
  reads('requests the summary of all readings', get('/api/summary?sensor='), { count: 5 }),
  reads('requests the summary of an odd span', get(`/api/summary?sensor=&from=${daysAgo(700.123)}`), {
    count: 5,
  }),
  reads(
    'requests the summary of a sensor whose level changes all the time',
    get(`/api/summary?sensor=${FLAPPING}`),
  ),
  ...ZONES.map((zone) =>
    reads(
      `requests the pattern of all readings in ${zone}`,
      get(`/api/pattern?sensor=&by=day&zone=${zone}`),
      {
        count: 5,
      },
    ),
  ),
  reads(
    'requests the pattern of a century',
    get(`/api/pattern?sensor=${FLAPPING}&by=day&zone=Asia/Kathmandu&${ALL}`),
  ),
  reads(
    'requests the pattern of 40 days by hours',
    get(`/api/pattern?sensor=&by=hour&from=${daysAgo(41)}&to=${daysAgo(1)}`),
    { count: 5 },
  ),
  ...['/', '/chart?range=24HR', '/history?span=all', '/postdata', '/healthz'].map((page) =>
    reads(`opens ${page}`, get(page), { count: 5 }),
  ),
  reads('opens / very often', get('/'), { count: 200 }),
  ...['/metrics', '/api/docs', '/api/openapi.json'].map((path) =>
    reads(`opens ${path} very often`, get(path, GZIP), { count: size(400, 150) }),
  ),
];

const REFUSED: CostlyRequests[] = [
  reads('requests an address of many segments', get('/a'.repeat(7000)), { status: 414 }),
  reads('requests shorter addresses of many segments', get('/a'.repeat(1000)), { count: 20, status: 404 }),
  reads('sends numbers of 16,000 digits', postJson({ co2: `${'1'.repeat(16_000)}x`, voc: 1 }), {
    count: 20,
    status: 400,
  }),
  reads(
    'sends lines of deeply nested arrays',
    postOf('application/x-ndjson', `${'['.repeat(8000)}${']'.repeat(8000)}\n`.repeat(120)),
    { status: 400 },
  ),
];

/** As many lines of CSV and of JSON as fit into 2 MiB; fewer in `npm test`. */
const [CSV_ROWS, JSON_ROWS] = [size(45_000, 20_000), size(23_000, 10_000)];

const WRITES: CostlyRequests[] = [
  {
    name: 'posts many single readings',
    requests: () => newReadings(100, 1000).map(postJson),
    status: 201,
  },
  writes('posts 10,000 readings as JSON', () => postJson(newReadings(10_000, 2000))),
  writes('posts a large CSV', () => postCsv(newReadings(CSV_ROWS, 2000))),
  writes('posts a large NDJSON', () => postLines(newReadings(JSON_ROWS, 2000))),
  writes('posts late readings of many days', () => postCsv(newReadings(8000, 86_400_000))),
  writes('posts many readings of one slot', () => postCsv(newReadings(size(45_000, 10_000), 1))),
];

const COSTLY: CostlyRequests[] = [...READS, ...REFUSED, ...WRITES];

const HISTORY_MS = 900_000;
vi.setConfig({ hookTimeout: HISTORY_MS });

/** Far more readings than the store reads at once. */
const STORED = size(10_000_000, 100_000);
/** The promised maximum; twice that in quick runs. Reading all 100,000 in one turn would take more than 0.3 s. */
const HELD_MS = size(100, 200);
/**
 * A busy disk, or a garbage collector that waits for a processor, may disturb one attempt. A request that blocks the
 * event loop does so in each.
 */
const ATTEMPTS = 5;

let server: RunningServer;
let databasePath: string;
/** The version of the build. Without it, Remix ignores requests for its manifest. */
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
 * Sends a request and reads the answer at full speed until the client disconnects or it ends. Returns the status of the
 * answer; null if the client disconnected before.
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

/** The measure that must stay below `HELD_MS` in each turn: wall time, or wall time without disk waits. */
type Held = 'heldMs' | 'processorMs';

/**
 * Expects event-loop turns under `HELD_MS` while `ask` runs, in one of `ATTEMPTS`. Each attempt starts with the
 * database out of the page cache.
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

test.each(COSTLY)('stays responsive while a client $name', ({ name, requests, status = 200, ...client }) =>
  expectNoHold(name, async () => {
    const answers = await Promise.all(requests().map((request) => take(request, client)));
    for (const answer of answers) expect([status, client.patienceMs ? null : status]).toContain(answer);
  }),
);

test('stays responsive while a client resumes a stream from the first reading', () =>
  expectNoHold('resumes a stream', () =>
    take(Buffer.from('GET /api/live?after=0 HTTP/1.1\r\nHost: board\r\n\r\n'), {
      until: `id: ${STORED}\n`,
      patienceMs: PATIENCE_MS,
    }),
  ));

test('stays responsive while a client requests the Remix routes of many segments', () => {
  const target = `/__manifest?version=${version}&p=${'/a'.repeat(3700)}`;
  const request = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n`);
  return expectNoHold('requests routes', () => Promise.all(Array.from({ length: 5 }, () => take(request))));
});

test('renders pages that are requested at once in separate event-loop turns', async () => {
  const holdOf = async (pages: number) => {
    const holds: number[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await longestHold(server);
      await Promise.all(Array.from({ length: pages }, () => take(get('/'))));
      holds.push((await longestHold(server)).processorMs);
    }
    return Math.min(...holds);
  };
  const one = await holdOf(1);
  // Four of them read at the same time, and would be rendered together.
  expect(await holdOf(8)).toBeLessThan(2.5 * one);
});

test('stays responsive while clients stop reading', () =>
  expectNoHold('stops reading', async () => {
    const stalled = Array.from({ length: 10 }, () => connect(server.port, '127.0.0.1').pause());
    for (const socket of stalled) socket.write('GET /api/data?format=csv HTTP/1.1\r\nHost: board\r\n\r\n');
    await take(Buffer.from('GET /api/data?limit=50000 HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n'));
    for (const socket of stalled) socket.destroy();
  }));

test(
  'stays responsive while the background job computes the history of all readings',
  { timeout: HISTORY_MS },
  () =>
    expectNoHold(
      'posts while the history is computed',
      async () => {
        changeManyDays(databasePath);
        await server.stop();
        server = await server.restart();
        await longestHold(server);
        // `until` pauses, so the posts leave time for the computation.
        await until(async () => {
          expect((await post(server.url, { sensor: 'Beat', co2: 415, voc: 120 })).status).toBe(201);
          return isHistoryComplete();
        }, HISTORY_MS);
      },
      // The event loop waits until the disk has confirmed a post, and the file check keeps the disk busy.
      'processorMs',
    ),
);
