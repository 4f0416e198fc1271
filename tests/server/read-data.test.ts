import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { expectProblem, readAll } from '../support/server/api';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';

/** More readings than the store reads at once, and than a page keeps. */
const STORED = 6500;

let server: RunningServer;
let all: Reading[];

beforeAll(async () => {
  server = await startServerWith(STORED);
  all = await readAll(server.url);
});

afterAll(() => server.stop());

test('returns every reading, oldest first, without parameters', () => {
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: STORED }, (_, i) => i + 1));
});

test('a reading has an id, two numbers and a UTC time with milliseconds', () => {
  for (const reading of all) {
    expect(Object.keys(reading)).toEqual(['id', 'co2', 'voc', 'created_at']);
    expect(reading.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([typeof reading.id, typeof reading.co2, typeof reading.voc]).toEqual([
      'number',
      'number',
      'number',
    ]);
  }
});

test('streams JSON that must not be cached', async () => {
  const answer = await fetch(`${server.url}/api/data`);
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('Content-Length')).toBeNull();
  await answer.body?.cancel();
});

test.each([1, 1000, 1001, 5760, STORED + 1, 999_999_999_999_999])(
  'limit=%i returns that many of the newest readings, oldest first',
  async (limit) => {
    expect(await readAll(server.url, `?limit=${limit}`)).toEqual(all.slice(-limit));
  },
);

test.each([0, 5500, STORED, STORED + 1, 999_999_999_999_999])(
  'after=%i returns readings with a higher id',
  async (after) => {
    expect(await readAll(server.url, `?after=${after}`)).toEqual(all.slice(after));
  },
);

test.each([
  [10, 6480, 10],
  [100, 6480, 20],
  [5760, 0, 5760],
  [6000, 100, 6000],
  [6000, 1000, 5500],
  [6000, STORED, 0],
])('limit=%i&after=%i returns the newest of the later readings: %i', async (limit, after, count) => {
  const read = await readAll(server.url, `?limit=${limit}&after=${after}`);
  expect(read).toEqual(all.slice(STORED - count));
});

test.each([
  ['limit=0', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=9999999999999999', 'limit'],
  ['after=-1', 'after'],
  ["after=1'--", 'after'],
  ['limit=1&limit=2', 'limit'],
  ['limits=1', 'limits'],
  ['__proto__=1', '__proto__'],
])('rejects the query %s with 400 and names %s', async (query, field) => {
  const problem = await expectProblem(await fetch(`${server.url}/api/data?${query}`), 400);
  expect(problem.errors).toMatchObject([{ field }]);
});

test('names every bad parameter', async () => {
  const problem = await expectProblem(await fetch(`${server.url}/api/data?limit=x&after=y`), 400);
  expect(problem.errors?.map(({ field }) => field)).toEqual(['limit', 'after']);
});

test('returns an empty array if there are no readings', async () => {
  const empty = await startServer();
  for (const query of ['', '?limit=10', '?limit=10000', '?after=0', '?after=7', '?limit=10&after=7']) {
    expect(await readAll(empty.url, query)).toEqual([]);
  }
  await empty.stop();
});
