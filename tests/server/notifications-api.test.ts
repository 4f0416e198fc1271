import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AirReport } from '../../app/readings/air/air-report';
import { NOTIFY_URLS, storeNotifiedSensors } from '../support/alerts/notified-sensors';
import { expectProblem, post } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

const KEY = 'correct-horse-battery';
const WITH_KEY = { Authorization: `Bearer ${KEY}` };

const reportOf = async (server: RunningServer, headers = {}): Promise<AirReport> =>
  (await fetch(`${server.url}/api/notifications`, { headers })).json();

describe('without a write key', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env: { NOTIFY_URLS, NOTIFY_ON: 'moderate,silent', SILENT_AFTER: '1h' } });
  });
  afterAll(() => server.stop());

  test('GET /api/notifications shows a pending state right after the post', async () => {
    expect(await reportOf(server)).toMatchObject({ sensors: [], transitions: [] });
    const time = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString();
    const since = time(60);
    for (const created_at of [since, time(30), time(0)])
      await post(server.url, { co2: 2100, voc: 50, created_at });
    const report = await until(async () => {
      const report = await reportOf(server);
      return report.sensors[0]?.pending.length ? report : null;
    });
    expect(report.sensors).toMatchObject([{ sensor: '', state: 'good', co2: 2100, voc: 50 }]);
    const at = new Date(Date.parse(since) + 300_000).toISOString();
    expect(report.sensors[0]?.pending).toEqual([{ to: 'poor', since, at }]);
    expect(report.settings).toMatchObject({ on: ['moderate', 'silent'], silentAfterMs: 3_600_000 });
  });

  test('the dashboard shows the time since the threshold was exceeded, not since the level changed', async () => {
    const now = Date.now();
    const batch = Array.from({ length: 140 }, (_, i) => ({
      co2: i < 20 ? 600 : i < 60 ? 1100 : i < 138 ? 960 : 1001,
      voc: 100,
      sensor: 'Lab',
      created_at: new Date(now - (139 - i) * 15_000).toISOString(),
    }));
    await fetch(`${server.url}/api/data`, { method: 'POST', body: JSON.stringify(batch) });
    const html = async () => (await fetch(`${server.url}/?sensor=Lab`)).text();
    await until(async () => /CO2 is 1001 PPM[^;]*; above 1000 for 15 s\./.test(await html()));
  });

  test('a page of another site can neither read it nor send a test', async () => {
    const headers = { Origin: 'https://other.example', 'Sec-Fetch-Site': 'cross-site' };
    for (const method of ['GET', 'POST'])
      await expectProblem(await fetch(`${server.url}/api/notifications`, { method, headers }), 403);
  });

  test('answers HEAD, and refuses other methods', async () => {
    const address = `${server.url}/api/notifications`;
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(address, { method: 'DELETE' })).headers.get('Allow')).toBe('GET, HEAD, POST');
  });
});

describe('with a write key', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const databasePath = join(temporaryFolder(), 'readings.db');
    await storeNotifiedSensors(databasePath, 3);
    server = await startServer({ databasePath, env: { NOTIFY_URLS, WRITE_KEY: KEY } });
  });
  afterAll(() => server.stop());

  test('reports and tests need the key', async () => {
    for (const method of ['GET', 'POST']) {
      await expectProblem(await fetch(`${server.url}/api/notifications`, { method }), 401);
      const headers = { Authorization: 'Bearer wrong' };
      await expectProblem(await fetch(`${server.url}/api/notifications`, { method, headers }), 401);
    }
  });

  test('the report contains the newest 50 transitions with each attempt, and the addresses without secrets', async () => {
    const report = await reportOf(server, WITH_KEY);
    expect(report.transitions).toHaveLength(50);
    expect(report.sensors).toHaveLength(3);
    const told = report.transitions.find(({ deliveries }) =>
      deliveries.some(({ state }) => state === 'failed'),
    );
    expect(told?.deliveries.map(({ state, attempts }) => `${state} ${attempts.length}`).sort()).toEqual([
      'delivered 1',
      'delivered 3',
      'failed 1',
    ]);
    expect(told?.deliveries.map(({ address }) => address)).toEqual(
      report.addresses.map(({ address }) => address),
    );
    const text = JSON.stringify(report);
    for (const secret of ['air-4711', 'secret-token', 'secret-key']) expect(text).not.toContain(secret);
  });

  test('a second test right after the first gets 429 with Retry-After', async () => {
    const send = () => fetch(`${server.url}/api/notifications`, { method: 'POST', headers: WITH_KEY });
    const answers = await (await send()).json();
    expect(answers).toHaveLength(3);
    expect(answers).toMatchObject([{ isDelivered: false }, { isDelivered: false }, { isDelivered: false }]);
    const refused = await send();
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    await expectProblem(refused, 429);
  });
});
