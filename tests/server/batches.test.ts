import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { BATCH_FORMATS, BATCH_LIMIT, postBody, readingsOf } from '../support/ingest/batches';
import { expectProblem, post, readAll } from '../support/server/api';
import { openConnection, parseAnswer } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { SEED } from '../support/size';
import { startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
});

afterAll(() => server.stop());

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
  const errors = [0, 1].map((item) => ({ item, errors: [expect.objectContaining({ field: 'co2' })] }));
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

test('accepts 2 MiB, and rejects one byte more with 413 before it arrives', async () => {
  const body = `${JSON.stringify({ co2: 1, voc: 1, sensor: 'Blank' })}\n`.padEnd(BATCH_LIMIT, ' ');
  // The rest is one line of more than 16 KiB.
  const answer = await postBody(server.url, 'application/x-ndjson', body);
  expect(await answer.json()).toMatchObject({ stored: 1, refused: 1 });
  const head = `POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Type: text/csv\r\nContent-Length: ${BATCH_LIMIT + 1}\r\n\r\n`;
  const connection = openConnection(server.port, head);
  const refusal = await until(() => parseAnswer(connection.received()));
  expect(refusal.status).toBe(413);
  expect(refusal.body).toContain('over 2 MiB');
  expect(refusal.body).toContain('airboard import');
  await until(connection.isClosed);
});

test('rejects an array of more than 10,000 items with 413', async () => {
  const body = `[${Array(10_001).fill('{"co2":1,"voc":1,"sensor":"Many"}').join()}]`;
  const { detail } = await expectProblem(await postBody(server.url, 'application/json', body), 413);
  expect(detail).toContain('10000 items');
  expect(await stored('Many')).toEqual([]);
});

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
