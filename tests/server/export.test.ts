import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { DEFAULT_SETTINGS } from '../../app/readings/sensor-settings';
import { storeReadings } from '../support/readings/database';
import { START } from '../support/readings/readings';
import { expectProblem, readAll } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

const HEADER = 'created_at,sensor,co2,voc,id\r\n';
const SENSORS = ['', 'Küche', '=1+1'];
/** More readings than the store reads at once. */
const STORED = 3000;

let server: RunningServer;
let all: Reading[];

const timeOf = (i: number) => new Date(START + i * 60_000).toISOString();

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await storeReadings(
    databasePath,
    Array.from({ length: STORED }, (_, i) => ({
      created_at: timeOf(i),
      sensor: SENSORS[i % SENSORS.length],
      co2: 400 + i,
      voc: i % 2 === 0 ? null : 100 - i / 4,
    })),
  );
  server = await startServer({ databasePath });
  all = await readAll(server.url);
});

afterAll(() => server.stop());

const get = (query: string, init?: RequestInit) => fetch(`${server.url}/api/data${query}`, init);
const nameOf = ({ sensor = '' }: Reading) => sensor;

test('returns every reading as CSV, oldest first, with the same values as JSON', async () => {
  const answer = await get('?format=csv');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const text = await answer.text();
  const lines = all.map(({ created_at, sensor = '', co2, voc, id }) => {
    const field = sensor.startsWith('=') ? `"'${sensor}"` : sensor;
    return `${created_at},${field},${co2},${voc ?? ''},${id}\r\n`;
  });
  expect(all).toHaveLength(STORED);
  expect(text).toBe(HEADER + lines.join(''));
});

test('Accept selects CSV, format takes precedence, and both add Vary', async () => {
  const csv = { headers: { Accept: 'text/csv' } };
  for (const query of ['', '?limit=2', '?limit=10000', '?after=5']) {
    const [asCsv, asJson] = [await get(query, csv), await get(query)];
    expect([query, asCsv.headers.get('Vary')]).toEqual([query, 'Accept, Accept-Encoding']);
    expect(asJson.headers.get('Vary')).toBe('Accept, Accept-Encoding');
    expect((await asCsv.text()).split('\r\n')).toHaveLength((await asJson.json()).length + 2);
  }
  const json = await get('?limit=1&format=json', csv);
  expect(json.headers.get('Content-Type')).toBe('application/json');
  expect(await json.json()).toEqual(all.slice(-1));
});

test.each([
  ['?format=csv', /^attachment; filename="airboard-\d{4}-\d\d-\d\d\.csv"$/],
  [
    `?format=csv&sensor=K%C3%BCche&from=${timeOf(0)}&to=2026-01-03T00:00:00Z`,
    /^attachment; filename="airboard-K_che-2026-01-02\.csv"; filename\*=UTF-8''airboard-K%C3%BCche-2026-01-02\.csv$/,
  ],
  [
    '?format=csv&sensor=../a%22b&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    /^attachment; filename="airboard-\.\._a_b-2026-01-01-to-2026-01-31\.csv"$/,
  ],
  [
    '?format=csv&from=2026-11-27T00:00:00%2B01:00&to=2026-11-28T00:00:00%2B01:00',
    /^attachment; filename="airboard-2026-11-27\.csv"$/,
  ],
  [
    '?format=csv&from=2026-11-26T00:00:00-05:30&to=2026-11-28T00:00:00-0530',
    /^attachment; filename="airboard-2026-11-26-to-2026-11-27\.csv"$/,
  ],
])('names the file of %s', async (query, disposition) => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await get(query, { method });
    expect(answer.headers.get('Content-Disposition')).toMatch(disposition);
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/csv/);
    await answer.arrayBuffer();
  }
});

test('answers HEAD with the headers of GET and no body', async () => {
  const head = await get('?format=csv', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test.each(SENSORS)('selects the sensor "%s"', async (sensor) => {
  const query = `sensor=${encodeURIComponent(sensor)}`;
  const ofSensor = all.filter((reading) => nameOf(reading) === sensor);
  expect(await readAll(server.url, `?${query}`)).toEqual(ofSensor);
  expect(await readAll(server.url, `?${query}&limit=7`)).toEqual(ofSensor.slice(-7));
  expect(await readAll(server.url, `?${query}&after=1500`)).toEqual(ofSensor.filter(({ id }) => id > 1500));
});

test('selects a span that includes from and excludes to', async () => {
  const span = `from=${timeOf(1000)}&to=${timeOf(2500)}`;
  expect(await readAll(server.url, `?${span}`)).toEqual(all.slice(1000, 2500));
  expect(await readAll(server.url, `?${span}&limit=3`)).toEqual(all.slice(2497, 2500));
  expect(await readAll(server.url, `?from=${timeOf(2999)}`)).toEqual(all.slice(2999));
  expect(await readAll(server.url, `?to=${timeOf(1)}`)).toEqual(all.slice(0, 1));
  expect(await readAll(server.url, `?from=${timeOf(1)}&to=${timeOf(1)}`)).toEqual([]);
  const local = new Date(START + 1000 * 60_000 + 3_600_000).toISOString().replace('Z', '+01:00');
  expect(await readAll(server.url, `?from=${local}&to=${timeOf(2500)}`)).toEqual(all.slice(1000, 2500));
});

test('returns nothing for a sensor without readings, in both formats', async () => {
  expect(await readAll(server.url, '?sensor=Attic')).toEqual([]);
  expect(await (await get('?sensor=Attic&format=csv')).text()).toBe(HEADER);
});

test.each([
  ['from=2026-01-02', 'from'],
  ['from=2026-01-02T00:00:00', 'from'],
  ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
  ['format=xml', 'format'],
  ['form=csv', 'form'],
])('rejects %s with 400 and names %s', async (query, field) => {
  const problem = await expectProblem(await get(`?${query}`, { headers: { Accept: 'text/csv' } }), 400);
  expect(problem.errors).toMatchObject([{ field }]);
});

test('lists every sensor with its newest reading, latest first', async () => {
  const answer = await fetch(`${server.url}/api/sensors`);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const newestFirst = all.toReversed();
  expect(await answer.json()).toEqual(
    ['=1+1', 'Küche', ''].map((name) => {
      const newest = newestFirst.find((reading) => nameOf(reading) === name);
      const oldest = all.find((reading) => nameOf(reading) === name);
      const heard = { first_heard: oldest?.created_at, last_heard: newest?.created_at };
      return { name, newest, ...heard, ...DEFAULT_SETTINGS };
    }),
  );
});

test('lists sensors in pages by name, and the newest ones alone', async () => {
  const pages: string[][] = [];
  for (let next: string | undefined = '/api/sensors?limit=2'; next; ) {
    const answer: Response = await fetch(server.url + next);
    pages.push((await answer.json()).map(({ name }: { name: string }) => name));
    next = /^<(.*)>; rel="next"$/.exec(answer.headers.get('Link') ?? '')?.[1];
  }
  // Within a page, the sensor with the newest reading comes first.
  expect(pages).toEqual([['=1+1', ''], ['Küche']]);
  const newest = async (query: string) =>
    (await (await fetch(`${server.url}/api/sensors?${query}`)).json()).map(
      ({ name }: { name: string }) => name,
    );
  expect(await newest('newest=1')).toEqual(['=1+1']);
  expect(await newest('newest=1&sensor=')).toEqual(['=1+1', '']);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=5001', 'limit'],
  ['newest=101', 'newest'],
  ['newest=1&limit=1', 'limit'],
  ['newest=1&after=', 'after'],
  ['sensor=Bedroom', 'newest'],
  ['limits=1', 'limits'],
])('rejects /api/sensors?%s with 400 and names %s', async (query, field) => {
  const problem = await expectProblem(await fetch(`${server.url}/api/sensors?${query}`), 400);
  expect(problem.errors).toMatchObject([{ field }]);
});

test('raw=true and export --raw give a corrected sensor as it was posted', async () => {
  const sensor = 'Corrected';
  const post = (body: string, type: string) =>
    fetch(`${server.url}/api/data`, { method: 'POST', headers: { 'Content-Type': type }, body });
  const posted = [1000, 1010].map((co2, i) => ({ sensor, co2, created_at: timeOf(i) }));
  expect((await post(JSON.stringify(posted), 'application/json')).status).toBe(201);
  const correct = async (corrections: object[]) => {
    const init = { method: 'PATCH', body: JSON.stringify({ corrections }) };
    const answer = await fetch(`${server.url}/api/sensors?sensor=${sensor}`, init);
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const changed = await correct([{ metric: 'co2', offset: -60, from: timeOf(1) }]);
  expect(changed).toMatchObject({ newest: { co2: 950, raw: { co2: 1010 } }, corrections: [{ factor: 1 }] });
  const values = async (query: string) =>
    (await (await get(`?sensor=${sensor}${query}`)).json()) as Reading[];
  expect((await values('')).map(({ co2, raw }) => [co2, raw?.co2])).toEqual([
    [1000, undefined],
    [950, 1010],
  ]);
  expect((await values('&raw=true')).map(({ co2, raw }) => [co2, raw])).toEqual([
    [1000, undefined],
    [1010, undefined],
  ]);
  const span = `sensor=${sensor}&from=${timeOf(0)}&to=${timeOf(10)}`;
  for (const [raw, step, highest] of [
    ['', 86_400, 1000],
    ['&raw=true', 86_400, 1010],
    ['&raw=true', 60, 1010],
    ['&raw=false', 60, 1000],
  ] as const) {
    const answer = await fetch(`${server.url}/api/history?${span}&step=${step}${raw}`);
    const { steps } = await answer.json();
    expect([
      raw,
      step,
      Math.max(...steps.map(({ co2 }: { co2: { highest: number } }) => co2.highest)),
    ]).toEqual([raw, step, highest]);
  }
  const exported = async (...more: string[]) => {
    const script = ['scripts/export.js', '--sensor', sensor, '--url', server.url, ...more];
    return (await promisify(execFile)(process.execPath, script)).stdout;
  };
  expect(await exported()).toContain(',Corrected,950,,');
  const raw = await exported('--raw');
  expect(raw).toContain(',Corrected,1010,,');
  const again = await post(raw, 'text/csv');
  expect(await again.json()).toMatchObject({ stored: 0, duplicates: 2, refused: 0 });
  await expectProblem(await get('?raw=yes'), 400);
});
