/** Requests at once, from many clients, get and do what they would one after another. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../app/openapi/document.server';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const SENSORS = ['', 'Kitchen', 'Office'];
const START = Date.parse('2026-01-05T08:00:00Z');
const timeAt = (minute: number) => new Date(START + minute * 60_000).toISOString();

let server: RunningServer;

beforeAll(async () => {
  console.log(`asked-together: SEED=${SEED}`);
  server = await startServer({ env: { TRUST_PROXY: '1' } });
  for (const [i, sensor] of SENSORS.entries()) await postBatch(server.url, sensor, 500 + 300 * i);
  await postNote(server.url, 'Kitchen', 'Window open');
  const judged = async () => (await fetch(`${server.url}/api/air?sensor=Office`)).json();
  await until(async () => (await judged()).length > 0);
});

afterAll(() => server.stop());

/** Posts a reading a minute for three hours, each with its own value. */
async function postBatch(url: string, sensor: string, from: number): Promise<void> {
  const readings = Array.from({ length: 180 }, (_, i) => ({
    ...{ sensor: sensor || null, co2: from + i, voc: i, temperature: 20 + i / 100, created_at: timeAt(i) },
  }));
  expect((await post(url, readings)).status).toBe(201);
}

const postNote = (url: string, sensor: string, text: string) =>
  fetch(`${url}/api/notes`, { method: 'POST', body: JSON.stringify({ sensor, text, from: timeAt(60) }) });

/** Values of each query parameter. An unknown one, of a new route, fails the test. */
const VALUES: Record<string, readonly string[]> = {
  current_firmware: ['3.6.5'],
  sensor: SENSORS,
  from: [timeAt(0), timeAt(30)],
  to: [timeAt(120), timeAt(180)],
  at: [timeAt(90)],
  limit: ['1', '7', '100'],
  after: ['3', '200'],
  format: ['csv', 'json'],
  points: ['10', '100'],
  step: ['300', '900'],
  zone: ['UTC', 'Asia/Kathmandu'],
  by: ['hour', 'day'],
  newest: ['1', '100'],
  before: ['good', 'poor'],
  group: ['School'],
  raw: ['true', 'false'],
  metric: ['co2', 'voc'],
};

const HEADERS: Record<string, string>[] = [
  { 'Accept-Encoding': 'identity' },
  { 'Accept-Encoding': 'gzip' },
  { Accept: 'text/csv', 'Accept-Encoding': 'gzip' },
  { Accept: 'application/openmetrics-text; version=1.0.0', 'Accept-Encoding': 'identity' },
  { Accept: 'text/html', 'Accept-Language': 'en-US', Cookie: 'sensor=Kitchen' },
  { Accept: 'text/html', 'Accept-Language': 'de', Cookie: 'sensor=Office' },
];

interface Question {
  address: string;
  headers: Record<string, string>;
}

/** All pages and their data, and each address of the API with its parameters. Event streams never end. */
function questions(random: () => number): Question[] {
  const pages = readdirSync('app/routes')
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => (file === '_index.tsx' ? '/' : `/${file.slice(0, -4)}`));
  const paths = pages.flatMap((page) => [page, page === '/' ? '/_root.data' : `${page}.data`]);
  const ofPages = paths.map((path) => ({ path, names: ['sensor'] }));
  const ofApi = Object.entries(ROUTES)
    .filter(([path, { get }]) => get && path !== '/api/live')
    .map(([path, { get }]) => {
      const parameters = (get?.parameters ?? []) as { name: string; in: string }[];
      return { path, names: parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name) };
    });
  return [...ofPages, ...ofApi].flatMap(({ path, names }) =>
    Array.from({ length: 1 + names.length }, (_, i) => {
      const query = new URLSearchParams();
      for (const name of i === 0 ? [] : names) {
        const values = VALUES[name];
        if (!values) throw new Error(`${path}: no values for the parameter "${name}"`);
        if (name === 'sensor' || random() < 0.5)
          query.set(name, values[Math.floor(random() * values.length)] ?? '');
      }
      const headers = HEADERS[Math.floor(random() * HEADERS.length)] ?? {};
      const place = path.replace('{serial}', '84fce612f5b8');
      return { address: `${place}${query.size ? `?${query}` : ''}`, headers };
    }),
  );
}

/** Asks as one of eight clients, each with its own places in the queue of reads. */
async function ask({ address, headers }: Question, client = 0): Promise<unknown[]> {
  const answer = await fetch(`${server.url}${address}`, {
    headers: { ...headers, 'X-Forwarded-For': `192.0.2.${client % 8}` },
  });
  const names = ['Content-Type', 'Content-Encoding', 'Cache-Control', 'Vary'];
  const text = await answer.text();
  return [answer.status, ...names.map((name) => answer.headers.get(name)), steady(address, text)];
}

/** Replaces what changes with time alone: a page's nonce and the clock, ages, and the server's counters. */
function steady(address: string, text: string): string {
  if (address.startsWith('/metrics')) return text.replace(/ [-\d.e+]+$/gm, ' 0');
  return text
    .replace(/nonce="[^"]*"/g, '')
    .replace(/\b\d{13}(\.\d+)?\b/g, '0')
    .replace(/(?!2026-01-05)\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now')
    .replace(/"(lastReadingAgeSeconds|age_seconds)":\d+/g, '"$1":0');
}

/** Pseudorandom numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As many as may run and wait at a time. */
const TOGETHER = 32;

test('an answer asked for together with others is the answer asked for alone', {
  timeout: 90_000,
}, async () => {
  const random = randomFrom(SEED);
  const asked = questions(random);
  const alone: unknown[][] = [];
  for (const question of asked) alone.push(await ask(question));
  const shuffled = asked
    .flatMap((question, i) => [
      { question, i },
      { question, i },
    ])
    .map((each) => ({ ...each, order: random() }))
    .sort((a, b) => a.order - b.order);
  for (let start = 0; start < shuffled.length; start += TOGETHER) {
    const part = shuffled.slice(start, start + TOGETHER);
    const answers = await Promise.all(part.map(({ question }, client) => ask(question, client)));
    for (const [k, { question, i }] of part.entries()) {
      expect([question, ...(answers[k] ?? [])]).toEqual([question, ...(alone[i] ?? [])]);
    }
  }
});

test('the routes of one span asked together each give their own answer', async () => {
  const query = `sensor=Kitchen&from=${timeAt(0)}&to=${timeAt(180)}`;
  const paths = ['/api/summary', '/api/history', '/api/pattern', '/api/airings', '/api/notes'];
  const alone = [];
  for (const path of paths) alone.push(await ask({ address: `${path}?${query}`, headers: {} }));
  const together = await Promise.all(paths.map((path) => ask({ address: `${path}?${query}`, headers: {} })));
  expect(together).toEqual(alone);
});

/** Reads what writes have left, without the ids, whose order is the order of arrival. */
async function stateOf(url: string): Promise<unknown> {
  const read = async (address: string) => (await fetch(`${url}${address}`)).json() as Promise<unknown>;
  const withoutIds = (rows: unknown) =>
    (rows as Record<string, unknown>[])
      .map(({ id, ...row }) => JSON.stringify(row))
      .sort((a, b) => a.localeCompare(b));
  const ofSensors = SENSORS.map(async (sensor) => {
    const span = `?sensor=${sensor}&from=${timeAt(0)}&to=${timeAt(600)}`;
    const answers = [`/api/history${span}`, `/api/summary${span}`];
    return [withoutIds(await read(`/api/notes${span}`)), ...(await Promise.all(answers.map(read)))];
  });
  return [withoutIds(await read('/api/data')), await Promise.all(ofSensors)];
}

test('writes at once leave what they leave one after another', async () => {
  const random = randomFrom(SEED + 1);
  const servers = await Promise.all([startServer(), startServer()]);
  const reading = (minute: number) => ({
    ...{ sensor: SENSORS[Math.floor(random() * 3)] || null, co2: 400 + minute, voc: minute },
    created_at: timeAt(minute),
  });
  const singles = Array.from({ length: 60 }, (_, i) => reading(i));
  const batches = Array.from({ length: 60 }, (_, i) => [60 + 3 * i, 61 + 3 * i, 62 + 3 * i].map(reading));
  const bodies = singles.flatMap((single, i) => [single, batches[i]]);
  const removed = async (url: string) => {
    const { id } = await (await postNote(url, 'Kitchen', 'Removed')).json();
    return () => fetch(`${url}/api/notes?id=${id}`, { method: 'DELETE' });
  };
  const statuses = await Promise.all(
    servers.map(async ({ url }, i) => {
      const removals = [await removed(url), await removed(url)];
      const writes = [
        ...bodies.map((body) => () => post(url, body)),
        ...Array.from({ length: 20 }, (_, k) => () => postNote(url, 'Office', `Note ${k}`)),
        ...removals,
      ];
      const answers: Response[] = [];
      if (i === 0) for (const write of writes) answers.push(await write());
      else answers.push(...(await Promise.all(writes.map((write) => write()))));
      return answers.map(({ status }) => status);
    }),
  );
  expect(statuses[1]).toEqual(statuses[0]);
  const [apart, together] = await Promise.all(servers.map(({ url }) => stateOf(url)));
  expect(together).toEqual(apart);
  await Promise.all(servers.map((each) => each.stop()));
});
