import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlertEvent } from '../../app/providers/alert-event';
import { type Receiver, startReceiver } from '../support/alerts/receiver';
import { postBody } from '../support/ingest/batches';
import { expectProblem, post, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const MINUTE_MS = 60_000;

let server: RunningServer;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await server.stop();
  await receiver.close();
});

/** Starts a server whose clock says `time` until `setClock`. */
async function startAt(time: string, env: Record<string, string> = {}): Promise<void> {
  const preload = new URL('../support/server/false-clock.js', import.meta.url).href;
  server = await startServer({ env: { NODE_OPTIONS: `--import ${preload}`, FALSE_CLOCK: time, ...env } });
}

const setClock = () => void process.kill(server.pid, 'SIGWINCH');
const readHealth = async () => (await fetch(`${server.url}/healthz`)).json();
const timeIn = (fromNowMs: number) => new Date(Date.now() + fromNowMs).toISOString();

async function expectUnset(answer: Response): Promise<void> {
  const { detail } = await expectProblem(answer, 503);
  expect(detail).toMatch(
    /The server's clock isn't set: it says 19.*, which is before airboard was built \(20.*Set it/,
  );
  expect(answer.headers.get('Retry-After')).toBe('30');
}

test('a clock before the build refuses only what needs its time, until it is set', async () => {
  await startAt('1970-01-01T00:00:20Z');
  expect(await readHealth()).toMatchObject({
    status: 'unavailable',
    lastReadingAgeSeconds: null,
    detail: expect.stringContaining("The server's clock isn't set: it says 1970-01-01T00:00:"),
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(503);

  await expectUnset(await post(server.url, { co2: 415, voc: 120 }));
  await expectUnset(await post(server.url, { co2: 415, voc: 120, sensor: 'Kitchen', created_at: null }));
  await expectUnset(await post(server.url, [{ co2: 415, voc: 120 }]));
  await expectUnset(await postBody(server.url, 'text/csv', 'co2,voc\n415,120\n'));
  const mixed = [
    { co2: 1, voc: 1, created_at: timeIn(-5 * MINUTE_MS) },
    { co2: 415, voc: 120 },
  ];
  await expectUnset(
    await postBody(server.url, 'application/x-ndjson', mixed.map((r) => JSON.stringify(r)).join('\n')),
  );
  const airrohr = {
    esp8266id: '12',
    sensordatavalues: [
      { value_type: 'SCD30_co2_ppm', value: '600' },
      { value_type: 'conc_co2_ppm', value: '600' },
    ],
  };
  await expectUnset(
    await fetch(`${server.url}/api/airrohr`, { method: 'POST', body: JSON.stringify(airrohr) }),
  );
  const note = (body: object) =>
    fetch(`${server.url}/api/notes`, { method: 'POST', body: JSON.stringify(body) });
  await expectUnset(await note({ text: 'window' }));
  expect((await note({ text: 'window', from: timeIn(-MINUTE_MS) })).status).toBe(201);
  expect(await readAll(server.url)).toEqual([]);

  const timed = { co2: 500, voc: 100, created_at: timeIn(-MINUTE_MS) };
  expect((await post(server.url, timed)).status).toBe(201);
  expect((await post(server.url, { ...timed, created_at: Date.now() / 1000 })).status).toBe(201);
  const csv = await (await fetch(`${server.url}/api/data?format=csv`)).text();
  expect(await (await postBody(server.url, 'text/csv', csv)).json()).toMatchObject({
    duplicates: 2,
    refused: 0,
  });

  setClock();
  await until(async () => (await readHealth()).status === 'ok');
  expect((await post(server.url, mixed)).status).toBe(201);
  expect((await post(server.url, { co2: 415, voc: 120 })).status).toBe(201);
  const times = (await readAll(server.url)).map(({ created_at }) => Date.now() - Date.parse(created_at));
  expect(times).toHaveLength(5);
  for (const ageMs of times) expect(Math.abs(ageMs)).toBeLessThan(10 * MINUTE_MS);
  await expectProblem(await post(server.url, { ...timed, created_at: timeIn(20 * MINUTE_MS) }), 400);
});

test('a clock that is set later makes no sensor silent', async () => {
  await startAt('2001-02-03T04:05:06Z', {
    NOTIFY_URLS: `http://${receiver.host}/hook`,
    NOTIFY_TIME_ZONE: 'UTC',
    NOTIFY_AFTER: '1s',
    SILENT_AFTER: '10m',
  });
  const send = (co2: number, ageMs: number) =>
    post(server.url, { sensor: 'Kitchen', co2, voc: null, created_at: timeIn(-ageMs) });
  for (let i = 0; i < 6; i++) expect((await send(500, 12_000 - i * 1000)).status).toBe(201);
  setClock();
  await until(async () => (await readHealth()).status === 'ok');
  for (let i = 0; i < 5; i++) expect((await send(2100, 5000 - i * 1000)).status).toBe(201);
  await until(() => receiver.received.length > 0, MINUTE_MS);
  expect(receiver.received.map(({ body }) => (body as { data: AlertEvent }).data.kind)).toEqual(['entered']);
});
