import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertEvent } from '../../app/providers/alert-event';
import type { AirReport } from '../../app/readings/air/air-report';
import type { ReadingInput } from '../../app/readings/reading';
import { type Receiver, startReceiver } from '../support/alerts/receiver';
import { postBody } from '../support/ingest/batches';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { LONG } from '../support/size';
import { startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

/** A message arrives within seconds. A busy machine gets more time. */
const TOLD_MS = 60_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

let server: RunningServer;
let receiver: Receiver;

async function stop(): Promise<void> {
  await server.stop();
  await receiver.close();
}

async function start(env: Record<string, string> = {}, answer?: RequestListener): Promise<void> {
  receiver = await startReceiver(answer);
  const url = `http://${receiver.host}/hook`;
  server = await startServer({ env: { NOTIFY_URLS: url, NOTIFY_TIME_ZONE: 'UTC', ...env } });
}

const events = () => receiver.received.map(({ body }) => (body as { data: AlertEvent }).data);
const titles = () => events().map(({ kind, title }) => `${kind}: ${title}`);
const deliveries = async () => {
  const report: AirReport = await (await fetch(`${server.url}/api/notifications`)).json();
  return report.transitions.flatMap((transition) => transition.deliveries);
};
const toldOf = (count: number) => until(() => receiver.received.length >= count, TOLD_MS);

/** Returns readings between two times, in milliseconds relative to now, 30 s apart. */
function readingsOf(co2: number, fromMs: number, toMs: number, sensor = 'Kitchen'): ReadingInput[] {
  return readingsEvery(30 * SECOND, co2, fromMs, toMs, sensor);
}

function readingsEvery(everyMs: number, co2: number, fromMs: number, toMs: number, sensor = 'Kitchen') {
  const now = Date.now();
  const count = Math.floor((toMs - fromMs) / everyMs) + 1;
  return Array.from({ length: count }, (_, i) => {
    const created_at = new Date(now + fromMs + i * everyMs).toISOString();
    return { sensor, co2, voc: null, created_at };
  });
}

async function send(...readings: ReadingInput[]): Promise<void> {
  const answer = await postBody(server.url, 'application/json', JSON.stringify(readings));
  expect(await answer.json()).toMatchObject({ stored: readings.length });
}

test('notifies of poor air, recovery, silence and return', LONG, async () => {
  await start({ NOTIFY_AFTER: '2s', SILENT_AFTER: '10s', PUBLIC_URL: 'https://air.example' });
  expect(server.output()).toMatch(/notifications go to: http:\/\/127\.0\.0\.1/);
  await send(
    ...readingsEvery(SECOND, 500, -9 * SECOND, -4 * SECOND),
    ...readingsEvery(SECOND, 2104, -3 * SECOND, 0),
  );
  await toldOf(1);
  await send(...readingsEvery(SECOND, 612, SECOND, 4 * SECOND));
  await toldOf(3);
  expect(await (await post(server.url, { sensor: 'Kitchen', co2: 700, voc: 120 })).json()).toMatchObject({
    co2: 700,
  });
  await toldOf(4);
  expect(titles()).toEqual([
    'entered: Kitchen: poor air',
    'ended: Kitchen: good air again',
    'entered: Kitchen: no readings',
    'ended: Kitchen: readings again',
  ]);
  const [poor, good, silent, back] = events();
  expect(poor).toMatchObject({
    state: 'poor',
    before: 'good',
    co2: 2104,
    text: expect.stringMatching(/^CO2 is 2104 PPM, above 2000 since \w{3} \d\d:\d\d, for 3 s\.$/),
  });
  expect(poor?.url).toMatch(/^https:\/\/air\.example\/history\?sensor=Kitchen&from=\S+&to=\S+$/);
  expect(good).toMatchObject({
    state: 'good',
    before: 'poor',
    text: expect.stringMatching(/^CO2 is 612 PPM, below 1000 since \w{3} \d\d:\d\d, for \d s\.$/),
  });
  expect(silent?.text).toMatch(
    /^No reading since \w{3} \d\d:\d\d, for \d\d s\. The last reading: CO2 612 PPM\.$/,
  );
  expect(back?.text).toMatch(
    /^Readings have arrived again since \w{3} \d\d:\d\d: CO2 700 PPM, VOC 120 PPB\.$/,
  );
  expect(new Set(events().map(({ id }) => id)).size).toBe(4);
  await stop();
});

describe('restarts', () => {
  let isAnswering = false;

  beforeAll(() =>
    start({}, (_, response) => {
      if (isAnswering) response.end('ok');
    }),
  );

  test('after kill -9 before a delivery or while a level is pending, notifies with the same id and start', async () => {
    await send(
      ...readingsOf(500, -7 * MINUTE, -6 * MINUTE, 'Hall'),
      ...readingsOf(2104, -5.5 * MINUTE, -2 * MINUTE, 'Hall'),
    );
    await send(...readingsOf(2104, -6 * MINUTE, 0));
    // The message is stored and is being sent.
    await toldOf(1);
    await server.stop('SIGKILL');
    isAnswering = true;
    server = await server.restart();
    await toldOf(2);
    // A third message about the kitchen would arrive before the one about the hall.
    await send(...readingsOf(500, 20 * SECOND, 20 * SECOND), { sensor: 'Attic', co2: 1, voc: 1 });
    await send(...readingsOf(2104, -1.5 * MINUTE, 0, 'Hall'));
    await toldOf(3);
    expect(titles()).toEqual([...Array(2).fill('entered: Kitchen: poor air'), 'entered: Hall: poor air']);
    expect(events()[1]).toEqual(events()[0]);
    const poor = events()[2];
    expect(poor).toMatchObject({ kind: 'entered', state: 'poor' });
    const lastedMs = Date.parse(poor?.at ?? '') - Date.parse(poor?.since ?? '');
    expect(lastedMs).toBeGreaterThanOrEqual(5 * MINUTE);
  });

  test('an orderly restart repeats nothing, and late readings of past poor air send nothing', async () => {
    const before = titles();
    await send(...readingsOf(2104, -6 * MINUTE, 0, 'Porch'));
    await toldOf(before.length + 1);
    // A message is sent again if the server stopped before it stored the answer.
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    await server.stop();
    server = await server.restart();
    await send(...readingsOf(500, -60 * MINUTE, -59 * MINUTE, 'Loft'), ...readingsOf(500, 0, 0, 'Loft'));
    await send(
      ...readingsOf(2104, -50 * MINUTE, -40 * MINUTE, 'Loft'),
      ...readingsOf(500, -39 * MINUTE, -30 * SECOND, 'Loft'),
    );
    await send(...readingsOf(2104, -6 * MINUTE, 0, 'Cellar'));
    await toldOf(before.length + 2);
    expect(titles()).toEqual([...before, 'entered: Porch: poor air', 'entered: Cellar: poor air']);
  });

  afterAll(stop);
});

test('without its secret key, a hosted store has notifications off, and the server logs it at the start', async () => {
  const double = await startSupabaseDouble();
  await start(double.env);
  expect(server.output()).toContain(
    'notifications are off: in a Supabase project they need SUPABASE_SECRET_KEY',
  );
  const { detail } = await (await fetch(`${server.url}/api/notifications`)).json();
  expect(detail).toBe("Notifications aren't set up: the setting SUPABASE_SECRET_KEY is missing.");
  await stop();
  await double.stop();
});
