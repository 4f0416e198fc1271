import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, post } from '../support/server/api';
import { startServer } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';

const docs = readFileSync('docs/history.md', 'utf8');

let double: SupabaseDouble;

beforeAll(async () => {
  double = await startSupabaseDouble();
});

afterAll(() => double.stop());

test('every answer about the history is 503 while Supabase fails', async () => {
  const server = await startServer({ env: double.env });
  double.rest.fault = () => ({ kind: 'answer', status: 500, body: 'no' });
  for (const path of ['history', 'summary', 'pattern']) {
    for (const query of ['', '?sensor=Kitchen&from=2026-01-02T07:00:00Z']) {
      const answer = await fetch(`${server.url}/api/${path}${query}`);
      await expectProblem(answer, 503);
      expect(Number(answer.headers.get('Retry-After')), path).toBeGreaterThan(0);
      expect(answer.headers.get('Cache-Control'), path).toBe('no-store');
    }
  }
  double.rest.fault = () => null;
  await server.stop();
});

test.each([
  ['SQLite', () => ({})],
  ['Supabase', () => double.env],
])('docs/history.md gives the literal answers, with %s', async (_, env) => {
  const readings = JSON.parse(/-d '(\[.*?\])'/s.exec(docs)?.[1] ?? '');
  const examples = [...docs.matchAll(/```\nGET (\/api\/\S+)\n```\n\n```json\n(.*?)```/gs)];
  expect(examples.map(([, address]) => address?.split('?')[0])).toEqual([
    '/api/history',
    '/api/summary',
    '/api/pattern',
  ]);
  const server = await startServer({ env: env() });
  expect((await post(server.url, readings)).status).toBe(201);
  for (const [, address = '', answer = ''] of examples) {
    expect([address, await (await fetch(server.url + address)).json()]).toEqual([
      address,
      JSON.parse(answer),
    ]);
  }
  await server.stop();
});

test('its example of a sensor with an outage is counted as it says', async () => {
  const rows = [...docs.matchAll(/^\| (\d+:\d\d) \| (\d+) \| (\w+) \| (\d+) minutes/gm)];
  const time = (clock = '') => `2026-01-02T${clock.padStart(5, '0')}:00Z`;
  const server = await startServer();
  await post(
    server.url,
    rows.map(([, clock, co2]) => ({ created_at: time(clock), co2: Number(co2), voc: null })),
  );
  const span = `from=${time('8:00')}&to=${time('9:15')}`;
  const history = await (await fetch(`${server.url}/api/history?${span}&points=15`)).json();
  const slots = history.steps.map(({ co2 }: { co2: Record<string, number> }) => co2);
  expect(slots).toMatchObject(
    rows.map(([, , , level, minutes]) => ({ [`${level}_seconds`]: Number(minutes) * 60 })),
  );
  const summary = await (await fetch(`${server.url}/api/summary?${span}`)).json();
  const [, good, moderate, none] =
    /good for (\d+) minutes and moderate for (\d+), and for (\d+) minutes there are no readings/.exec(docs) ??
    [];
  expect(summary.co2).toMatchObject({
    good_seconds: Number(good) * 60,
    moderate_seconds: Number(moderate) * 60,
  });
  expect(Number(good) + Number(moderate) + Number(none)).toBe(75);
  await server.stop();
});
