import { afterAll, beforeAll, expect, test } from 'vitest';
import { AIR_ROHR } from '../support/devices/recipes';
import { expectProblem, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ env: { NOTIFY_URLS: 'ntfy://127.0.0.1:65000/air-4711' } });
});

afterAll(() => server.stop());

const sensordatavalues = Object.entries(AIR_ROHR).map(([value_type, value]) => ({ value_type, value }));
const BODIES: Record<string, object> = {
  '/api/airrohr': { esp8266id: '10677322', sensordatavalues },
  '/api/enviro': { nickname: 'tank', timestamp: '2026-01-02T10:00:00Z', readings: { co2: 862 } },
  '/api/notifications': {},
};

test.each([
  ['/api/airrohr?sensr=Balcony', { sensr: 'is unknown: use sensor' }],
  ['/api/airrohr?Sensor=a&sensor=b&x', { Sensor: 'is unknown: use sensor', x: 'is unknown: use sensor' }],
  ['/api/airrohr?sensor=a&sensor=b', { sensor: 'is given twice: send it once' }],
  // The board keeps its readings until someone has corrected the address.
  ['/api/enviro?sensr=Balcony', { sensr: 'is unknown: use sensor' }],
  ['/api/enviro?sensor=a&sensor=a', { sensor: 'is given twice: send it once' }],
  ['/api/notifications?to=me', { to: 'is unknown: this address takes no parameters' }],
])('refuses a post to %s with 400 and names the parameter', async (address, errors) => {
  const [path = ''] = address.split('?');
  const body = JSON.stringify(BODIES[path]);
  const answer = await fetch(server.url + address, { method: 'POST', body });
  const problem = await expectProblem(answer, 400);
  expect(problem.errors).toEqual(Object.entries(errors).map(([field, detail]) => ({ field, detail })));
  expect(await readAll(server.url)).toEqual([]);
});

test('refuses an unknown parameter of /api/notifications', async () => {
  await expectProblem(await fetch(`${server.url}/api/notifications?limit=10`), 400);
});
