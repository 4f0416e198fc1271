import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HistoryAnswer } from '../../app/readings/history/history-answer';
import { STEPS } from '../../app/readings/history/history-step';
import { LEVELS, type Level } from '../../app/readings/level/level';
import type { Reading } from '../../app/readings/reading';
import type { RollUp } from '../../app/readings/roll-up/roll-up';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { randomHistory, rollUpReadings } from '../support/history/roll-up-readings';
import { storeReadings } from '../support/readings/database';
import { THRESHOLDS } from '../support/readings/readings';
import { expectProblem, post, postAll } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

const SEED = 20260102;
const DAY = 86_400;
const START = Date.parse('2026-01-02T10:00:00Z') / 1000;
const LENGTH = 20 * DAY;

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const secondOf = ({ created_at }: Reading) => Math.floor(Date.parse(created_at) / 1000);

let server: RunningServer;
const random = seededRandom(SEED);
const readings = randomHistory(random, START, LENGTH, 6000);

beforeAll(async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await storeReadings(databasePath, readings);
  server = await startServer({ databasePath });
});

afterAll(() => server.stop());

const get = (query: string, init?: RequestInit) => fetch(`${server.url}/api/history${query}`, init);
const read = async (query: string): Promise<HistoryAnswer> => (await get(query)).json();

test.each([
  [60, 700, 1],
  [DAY, 700, 300],
  [DAY, 96, 900],
  [3 * DAY, 100, 3600],
  [LENGTH, 700, 3600],
  [LENGTH, 20, DAY],
  [LENGTH, 4, 604_800],
])(
  'a span of %i s in at most %i points has steps of %i s or the next longer ones',
  async (length, points, step) => {
    const from = START + Math.floor(random() * (LENGTH - length));
    const { step_seconds, steps } = await read(
      `?from=${iso(from)}&to=${iso(from + length)}&points=${points}&sensor=`,
    );
    // A span that isn't aligned to its steps touches one more, which may exceed `points`.
    const touched = Math.ceil((from + length) / step) - Math.floor(from / step);
    expect(step_seconds).toBe(touched <= points ? step : STEPS[STEPS.indexOf(step as 1) + 1]);
    const begin = Math.floor(from / step_seconds) * step_seconds;
    const end = Math.ceil((from + length) / step_seconds) * step_seconds;
    expect((end - begin) / step_seconds).toBeLessThanOrEqual(points);
    const inside = readings.filter((reading) => begin <= secondOf(reading) && secondOf(reading) < end);
    const starts = [...new Set(inside.map((r) => Math.floor(secondOf(r) / step_seconds) * step_seconds))];
    expect(steps.map(({ start }) => start)).toEqual(starts.map(iso));
    const rolledUp = rollUpReadings(readings, { step: step_seconds }, THRESHOLDS);
    const [firstSlot] = rollUpReadings(readings, { step: 300 }, THRESHOLDS) as [RollUp];
    for (const [i, start] of starts.entries()) {
      const own = inside.filter((r) => Math.floor(secondOf(r) / step_seconds) * step_seconds === start);
      const rollUp = rolledUp.find((each) => each.start === start);
      expect(steps[i]?.readings).toBe(own.length);
      for (const field of ['co2', 'voc'] as const) {
        const values = own.map((reading) => reading[field]).filter((value) => value !== null);
        const answer = steps[i]?.[field];
        if (values.length === 0) {
          expect(answer).toBeNull();
          continue;
        }
        const seconds = { good: -1, moderate: -1, poor: -1, ...rollUp?.[field]?.seconds };
        // The first slot counts from the first reading.
        if (own[0] === readings[0] && firstSlot[field]) {
          const level = LEVELS.find((each) => firstSlot[field]?.seconds[each]) as Level;
          seconds[level] -= secondOf(readings[0] as Reading) - firstSlot.start;
        }
        const { good, moderate, poor } = seconds;
        expect(answer).toEqual({
          lowest: Math.min(...values),
          average: expect.closeTo(values.reduce((sum, value) => sum + value, 0) / values.length, 7),
          highest: Math.max(...values),
          good_seconds: good,
          moderate_seconds: moderate,
          poor_seconds: poor,
        });
      }
    }
  },
);

test.each(STEPS)('step=%i returns the same as points that select that step', async (step) => {
  const from = Math.floor((START + 3 * DAY) / step) * step;
  const span = `?from=${iso(from)}&to=${iso(from + 4 * step)}&sensor=`;
  const answer = await read(`${span}&step=${step}`);
  expect(answer.step_seconds).toBe(step);
  expect(answer).toEqual(await read(`${span}&points=4`));
});

test('step may request longer steps than points allow', async () => {
  const { step_seconds, steps } = await read(`?from=${iso(START)}&to=${iso(START + 60)}&step=3600&sensor=`);
  expect(step_seconds).toBe(3600);
  expect(steps.map(({ start }) => start)).toEqual([iso(START)]);
});

test('without parameters, covers the only sensor from its first reading to now', async () => {
  const { step_seconds, steps } = await read('');
  const startOf = (reading: Reading) => Math.floor(secondOf(reading) / step_seconds) * step_seconds;
  expect(steps[0]?.start).toBe(iso(startOf(readings[0] as Reading)));
  expect(steps.reduce((sum, step) => sum + step.readings, 0)).toBe(readings.length);
  const spanSeconds = Date.now() / 1000 - secondOf(readings[0] as Reading);
  expect(spanSeconds / step_seconds).toBeLessThan(701);
});

test('without points, a span of more than 700 weeks has steps of one week', async () => {
  const query = '?from=2005-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&sensor=';
  const { step_seconds, steps } = await read(query);
  expect(step_seconds).toBe(604_800);
  expect(steps.reduce((sum, step) => sum + step.readings, 0)).toBe(readings.length);
  expect((await get(`${query}&points=700`)).status).toBe(400);
});

test.each([
  [700, 60],
  [701, 120],
])('without points, a span of %i minutes has steps of %i s, at most 700', async (minutes, step) => {
  const from = Math.ceil(START / 3600) * 3600;
  const { step_seconds } = await read(`?from=${iso(from)}&to=${iso(from + minutes * 60)}`);
  expect(step_seconds).toBe(step);
});

test('an empty span, an unknown sensor and the future have no steps', async () => {
  const time = readings[3]?.created_at;
  for (const query of [
    `?from=${time}&to=${time}`,
    '?sensor=Attic',
    `?sensor=Attic&from=${time}`,
    `?from=2090-01-01T00:00:00Z`,
    `?from=0100-01-01T00:00:00Z&to=2001-01-01T00:00:00Z`,
    `?from=2098-01-01T00:00:00Z&to=9999-12-31T23:59:59Z`,
  ]) {
    const answer = await get(query);
    expect([query, answer.status, (await answer.json()).steps]).toEqual([query, 200, []]);
  }
});

test.each([
  ['points=0', 'points', 'must be a whole number from 1 to 2000'],
  ['points=2001', 'points', 'must be a whole number from 1 to 2000'],
  ['points=ten', 'points', 'must be a whole number from 1 to 2000'],
  ['points=5&points=5', 'points', 'is given twice: send it once'],
  ['steps=60', 'steps', 'is unknown: use sensor, from, to, step, points, zone, or raw'],
  ['zone=Berlin', 'zone', 'must be a time zone such as Europe/Berlin, not "Berlin"'],
  ['step=901', 'step', `must be one of these numbers of seconds: ${STEPS.join(', ')}`],
  ['step=0900', 'step', `must be one of these numbers of seconds: ${STEPS.join(', ')}`],
  ['step=900&points=4', 'points', 'is sent together with step: send one of them'],
  [
    'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&step=900',
    'step',
    'needs more than 2000 steps for this span: ask for a shorter one, or for a step of at least 1800',
  ],
  [
    'from=2000-01-01T00:00:00Z&to=2046-01-01T00:00:00Z&step=604800',
    'step',
    'needs more than 2000 steps for this span: ask for a shorter one, of at most 2000 weeks',
  ],
  ['from=2026-01-02', 'from', expect.stringContaining('needs a time and an offset')],
  [
    'from=2026-01-02T00:00:01Z&to=9999-12-31T23:59:59-01:00',
    'to',
    'must be in the years 100 to 9999 in UTC, not "9999-12-31T23:59:59-01:00"',
  ],
  ['from=2026-01-02T00:00:01Z&to=2026-01-02T00:00:00Z', 'from', expect.stringContaining('is after to')],
  [
    'from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&points=104',
    'points',
    'must be at least 105 for this span, even in steps of a week: ask for more, or for a shorter span',
  ],
  [
    'from=2000-01-01T00:00:00Z&to=2046-01-01T00:00:00Z&points=2000',
    'points',
    "can't be enough for this span: ask for a shorter one, of at most 2000 weeks",
  ],
])('rejects %s with 400 and says what to do', async (query, field, detail) => {
  const problem = await expectProblem(await get(`?${query}`), 400);
  expect(problem.errors).toEqual([{ field, detail }]);
});

describe('an answer', () => {
  const ended = `?from=${iso(START)}&to=${iso(START + LENGTH)}&sensor=`;

  test('keeps its ETag until it changes, and confirms it with 304 without a body', async () => {
    const first = await get(ended);
    const tag = first.headers.get('ETag') as string;
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await get(ended, { headers: { 'If-None-Match': known } });
      expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
      expect(again.headers.get('ETag')).toBe(tag);
      expect(again.headers.get('Cache-Control')).toBe('public, max-age=60');
    }
    const late = { co2: 5000, voc: 1, created_at: iso(START + 5 * DAY) };
    expect((await post(server.url, late)).status).toBe(201);
    const changed = await get(ended, { headers: { 'If-None-Match': tag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('ETag')).not.toBe(tag);
    const { steps } = (await changed.json()) as HistoryAnswer;
    expect(Math.max(...steps.map(({ co2 }) => co2?.highest ?? 0))).toBe(5000);
    expect(await (await get(ended)).text()).not.toBe(await first.text());
  });

  test('is cacheable if its last step ended an hour ago, and otherwise must be revalidated', async () => {
    const cacheControl = async (query: string) => (await get(query)).headers.get('Cache-Control');
    expect(await cacheControl(ended)).toBe('public, max-age=60');
    expect(await cacheControl(`?from=${iso(START)}`)).toBe('no-cache');
    const minutesAgo = (minutes: number) => iso(Math.floor(Date.now() / 1000) - minutes * 60);
    expect(await cacheControl(`?from=${minutesAgo(65)}&to=${minutesAgo(50)}`)).toBe('no-cache');
    expect(await cacheControl(`?from=${minutesAgo(80)}&to=${minutesAgo(62)}`)).toBe('public, max-age=60');
    // The current step of one week has not ended.
    expect(await cacheControl(`?from=${iso(START)}&to=${minutesAgo(62)}&points=200`)).toBe('no-cache');
  });

  test('is the same with and without compression, and HEAD returns its headers', async () => {
    const plain = await get(ended, { headers: { 'Accept-Encoding': 'identity' } });
    const compressed = await get(ended, { headers: { 'Accept-Encoding': 'gzip' } });
    const head = await get(ended, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
    expect(compressed.headers.get('Content-Encoding')).toBe('gzip');
    expect(await compressed.text()).toBe(await plain.text());
    expect(await head.text()).toBe('');
    for (const name of ['ETag', 'Cache-Control', 'Vary', 'Content-Type']) {
      expect(plain.headers.get(name)).toBeTruthy();
      expect(compressed.headers.get(name)).toBe(plain.headers.get(name));
      expect(head.headers.get(name)).toBe(plain.headers.get(name));
    }
  });
});

test('requires the sensor parameter if there are several sensors', async () => {
  const several = await startServer();
  await postAll(several.url, [
    { sensor: 'Kitchen', co2: 700, voc: null },
    { co2: 500, voc: 100 },
  ]);
  const problem = await expectProblem(await fetch(`${several.url}/api/history`), 400);
  expect(problem.errors).toEqual([
    { field: 'sensor', detail: 'is missing, and there are several: it must be empty or "Kitchen"' },
  ]);
  const kitchen: HistoryAnswer = await (await fetch(`${several.url}/api/history?sensor=Kitchen`)).json();
  expect(kitchen.steps).toEqual([
    {
      start: expect.stringMatching(/Z$/),
      readings: 1,
      co2: {
        lowest: 700,
        average: 700,
        highest: 700,
        good_seconds: expect.any(Number),
        moderate_seconds: 0,
        poor_seconds: 0,
      },
      voc: null,
    },
  ]);
  // A slot ends now at the latest, and the reading has just arrived.
  expect(kitchen.steps[0]?.co2?.good_seconds).toBeLessThan(300);
  await several.stop();
});
