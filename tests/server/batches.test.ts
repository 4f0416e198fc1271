import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { BATCH_FORMATS, BATCH_LIMIT, postBody, readingsOf } from '../support/ingest/batches';
import { expectProblem, post, readAll } from '../support/server/api';
import { openConnection, parseAnswer } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { longestHold, WITH_HOLDS } from '../support/server/vitals';
import { report, SEED } from '../support/size';
import { startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

/**
 * Far below the second that 10,000 readings would take in one event-loop turn. The benchmark measures the promise of
 * 100 ms (`npm run bench -- --only fairness`).
 */
const LONGEST_TURN_MS = 400;
/** The memory for the bodies of all running batches, in MiB. */
const BODIES_MIB = 64;

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ env: { POSTS_PER_MINUTE: '0', TRUST_PROXY: '1', ...WITH_HOLDS } });
});

afterAll(() => server.stop());

const from = (address: string) => ({ 'X-Forwarded-For': address });
const stored = async (sensor: string, { url } = server) => {
  const readings = await readAll(url, `?sensor=${encodeURIComponent(sensor)}`);
  return readings.map(({ id, ...reading }) => reading);
};
const ALL = { duplicates: 0, refused: 0, errors: [] };

test.each(Object.entries(BATCH_FORMATS))(
  'stores %s, and recognizes it when it is repeated',
  async (name, { type, write }) => {
    const readings = readingsOf(`${name} stored`, 1200);
    const body = write(readings);
    const first = await postBody(server.url, type, body);
    expect(first.status).toBe(201);
    expect(await first.json()).toEqual({ ...ALL, stored: 1200 });
    const again = await postBody(server.url, type, body);
    expect(again.status).toBe(201);
    expect(await again.json()).toEqual({ ...ALL, stored: 0, duplicates: 1200 });
    expect(await stored(`${name} stored`)).toEqual(readings);
  },
);

test.each(Object.entries(BATCH_FORMATS))(
  'answers a partly refused %s with 200 and the refused items',
  async (name, { type, write }) => {
    const readings = readingsOf(`${name} partly`, 10);
    await postBody(server.url, type, write(readings));
    const changed = readings.map((reading, i) => (i === 4 ? { ...reading, co2: 4.5 } : reading));
    const answer = await postBody(server.url, type, write(changed));
    expect(answer.status).toBe(200);
    const position = { 'a JSON array': { item: 4 }, NDJSON: { line: 5 }, CSV: { line: 6 } }[name];
    const detail = 'is the time of a reading that is stored with co2 4 and voc 4, not co2 4.5 and voc 4';
    const errors = [{ ...position, errors: [{ field: 'created_at', detail }] }];
    expect(await answer.json()).toEqual({ stored: 0, duplicates: 9, refused: 1, errors });
  },
);

test('answers a batch without valid readings with a problem that contains the report', async () => {
  const answer = await postBody(server.url, 'application/json', '[{}, {}]');
  expect(answer.status).toBe(400);
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  const errors = [0, 1].map((item) => ({ item, errors: [expect.anything(), expect.anything()] }));
  const problem = {
    status: 400,
    detail: 'All 2 readings are invalid.',
    stored: 0,
    duplicates: 0,
    refused: 2,
    errors,
  };
  expect(await answer.json()).toMatchObject(problem);
  await expectProblem(await postBody(server.url, 'application/json', '[]'), 400);
  await expectProblem(await postBody(server.url, 'text/csv', 'Time\n1\n'), 400);
});

test('answers a duplicate with 200 and its row, and a conflict with 409 and both', async () => {
  const sent = { co2: 415, voc: null, created_at: '2026-01-31T12:00:00.000Z', sensor: 'Known' };
  const first = await post(server.url, sent);
  expect(first.status).toBe(201);
  const row = await first.json();
  expect(row).toEqual({ id: expect.any(Number), ...sent });
  const again = await post(server.url, { ...sent, co2: '415', created_at: '2026-01-31T13:00:00+01:00' });
  expect(again.status).toBe(200);
  expect(await again.json()).toEqual(row);
  const other = await post(server.url, { ...sent, co2: 416 });
  expect(other.status).toBe(409);
  expect(other.headers.get('Content-Type')).toBe('application/problem+json');
  expect(await other.json()).toMatchObject({ status: 409, stored: row, sent: { ...sent, co2: 416 } });
  expect(await stored('Known')).toEqual([sent]);
});

test('accepts 8 MiB, and rejects one byte more with 413 before it arrives', async () => {
  const body = `${JSON.stringify({ co2: 1, voc: 1, sensor: 'Eight' })}\n`.padEnd(BATCH_LIMIT, ' ');
  // The rest is one line of more than 16 KiB.
  const answer = await postBody(server.url, 'application/x-ndjson', body);
  expect(await answer.json()).toMatchObject({ stored: 1, refused: 1 });
  const head = `POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Type: text/csv\r\nContent-Length: ${BATCH_LIMIT + 1}\r\n\r\n`;
  const connection = openConnection(server.port, head);
  const refusal = await until(() => parseAnswer(connection.received()));
  expect(refusal.status).toBe(413);
  expect(refusal.body).toContain('8 MiB');
  await until(connection.isClosed);
});

test('rejects an array of more than 10,000 items with 413 while it arrives', async () => {
  const body = `[${Array(10_001).fill('{"co2":1,"voc":1,"sensor":"Many"}').join()}]`;
  const { detail } = await expectProblem(await postBody(server.url, 'application/json', body), 413);
  expect(detail).toContain('10000 items');
  expect(await stored('Many')).toEqual([]);
});

test('buffers at most 64 MiB of 40 bodies of 8 MiB each, and answers all', async () => {
  const rssMiB = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
  const line = `{"co2":1,"voc":1,"sensor":"Crowd","created_at":"2026-01-01T00:00:00Z","note":"${'x'.repeat(15_000)}"}\n`;
  const body = line.repeat(Math.floor(BATCH_LIMIT / line.length));
  const send = async (_: unknown, i: number) => {
    const answer = await postBody(server.url, 'application/x-ndjson', body, from(`203.0.113.${i}`)).catch(
      () => null,
    );
    await answer?.text();
    // `fetch` may see the connection close before the answer to a body refused halfway.
    return answer?.status ?? 503;
  };
  const before = rssMiB();
  let grownMiB = Number.POSITIVE_INFINITY;
  // Released bodies stay in memory until garbage collection, which may be late in one attempt. All 40 bodies at once
  // would take more than 700 MiB.
  for (let attempt = 0; attempt < 3 && grownMiB >= 4 * BODIES_MIB; attempt++) {
    grownMiB = 0;
    const watch = setInterval(() => {
      grownMiB = Math.max(grownMiB, rssMiB() - before);
    }, 5);
    const statuses = await Promise.all(Array.from({ length: 40 }, send));
    clearInterval(watch);
    expect(statuses.every((status) => status === 201 || status === 503)).toBe(true);
    expect(statuses).toContain(201);
    report(`40 bodies of 8 MiB: memory grew by ${grownMiB.toFixed(0)} MiB`);
  }
  expect(grownMiB).toBeLessThan(4 * BODIES_MIB);
  expect(await stored('Crowd')).toHaveLength(1);
});

test.each(Object.entries(BATCH_FORMATS))(
  'stores %s of 10,000 readings in several event-loop turns',
  async (name, { type, write }) => {
    const readings = readingsOf(`${name} long`, 10_000);
    await longestHold(server);
    const answer = await postBody(server.url, type, write(readings));
    expect(await answer.json()).toMatchObject({ stored: 10_000 });
    const { heldMs } = await longestHold(server);
    report(`10,000 readings as ${name}: the event loop is held for ${heldMs} ms at most`);
    expect(heldMs).toBeLessThan(LONGEST_TURN_MS);
  },
);

test.each([
  ['the embedded', 60],
  ['the hosted', 30],
])(
  'devices that post each reading three times over unreliable connections lose nothing and store no duplicates in %s store',
  async (name, count) => {
    const double = name === 'the hosted' ? await startSupabaseDouble() : null;
    const hosted = double && { ...double.env, SUPABASE_SECRET_KEY: double.secretKey, POSTS_PER_MINUTE: '0' };
    const used = hosted ? await startServer({ env: hosted }) : server;
    const random = seededRandom(SEED);
    const device = async (sensor: string) => {
      for (const reading of readingsOf(sensor, count)) {
        const body = JSON.stringify(reading);
        const request = `POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
        for (let attempt = 1; attempt <= 3; attempt++) {
          // Disconnects during the request or before its answer. The device repeats a post until it has an answer.
          const length = attempt < 3 ? Math.floor(random() * request.length * 1.5) : request.length;
          const connection = openConnection(used.port, request.slice(0, length));
          if (attempt === 3) {
            const answer = await until(() => parseAnswer(connection.received()));
            expect([200, 201]).toContain(answer.status);
          } else await until(() => connection.socket.writableLength === 0);
          connection.socket.destroy();
        }
      }
    };
    await Promise.all([device('Porch'), device('Attic')]);
    for (const sensor of ['Porch', 'Attic']) {
      expect(await stored(sensor, used)).toEqual(readingsOf(sensor, count));
    }
    if (double) await Promise.all([used.stop(), double.stop()]);
  },
);

test('a page and a post beside 10,000 sensors block the event loop only briefly', async () => {
  const PAGES = 10;
  const readings = Array.from({ length: 10_000 }, (_, i) => ({ co2: 1, voc: 1, sensor: `Many ${i}` }));
  expect((await postBody(server.url, 'application/json', JSON.stringify(readings))).status).toBe(201);
  await longestHold(server);
  for (let i = 0; i < PAGES; i++) {
    expect((await post(server.url, { co2: i, voc: 1, sensor: `Many ${i}` })).status).toBe(201);
    expect(await (await fetch(`${server.url}/`)).text()).toContain(`Many ${i}`);
  }
  const { heldMs } = await longestHold(server);
  report(`10,000 sensors: a post and a page hold the event loop for ${heldMs} ms at most`);
  expect(heldMs).toBeLessThan(LONGEST_TURN_MS);
});

test('two sensors post simultaneous batches with the same times, and each keeps its readings', async () => {
  const send = async (sensor: string) => {
    const readings = readingsOf(sensor, 3000);
    for (let i = 0; i < 3000; i += 250) {
      const body = JSON.stringify(readings.slice(i, i + 250));
      expect((await postBody(server.url, 'application/json', body)).status).toBe(201);
    }
  };
  await Promise.all([send('North'), send('South')]);
  expect(await stored('North')).toEqual(readingsOf('North', 3000));
  expect(await stored('South')).toEqual(readingsOf('South', 3000));
});

test('refuses a whole batch with Retry-After if it exceeds the rest of the minute', async () => {
  const limited = await startServer({ env: { POSTS_PER_MINUTE: '100' } });
  const send = (count: number, type = 'application/json') =>
    postBody(limited.url, type, JSON.stringify(readingsOf(undefined, count)));
  expect((await send(60)).status).toBe(201);
  const refused = await send(80);
  const { detail } = await expectProblem(refused, 429);
  expect(detail).toContain('this post has 80');
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  await expectProblem(await send(101), 413);
  expect(await readAll(limited.url)).toHaveLength(60);
  await limited.stop();
});
