import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PatternAnswer, SummaryAnswer } from '../../app/readings/history/history-answer';
import type { RoomNumbers } from '../../app/readings/history/room-numbers';
import type { RoomNow } from '../../app/readings/now/room-now';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { randomHistory } from '../support/history/roll-up-readings';
import { storeReadings } from '../support/readings/database';
import { expectProblem, post } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

const SEED = 20260102;
const DAY = 86_400;
const START = Date.parse('2026-03-20T10:00:00Z') / 1000;
const SPAN = 'from=2026-03-28T23:00:00Z&to=2026-03-29T22:00:00Z&sensor=';

const readings = randomHistory(seededRandom(SEED), START, 20 * DAY, 4000);

let server: RunningServer;

beforeAll(async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await storeReadings(databasePath, readings);
  server = await startServer({ databasePath, env: { TZ: 'Asia/Kathmandu' } });
});

afterAll(() => server.stop());

const get = (path: string, init?: RequestInit) => fetch(`${server.url}/api/${path}`, init);

test.each([
  ['summary', 1],
  ['pattern', 2],
])('/api/%s confirms its ETag until the span changes', async (path, i) => {
  const address = `${path}?${SPAN}`;
  const first = await get(address);
  expect(first.headers.get('Cache-Control')).toBe('public, max-age=60');
  const headers = { 'If-None-Match': first.headers.get('ETag') as string };
  expect((await get(address, { headers })).status).toBe(304);
  expect((await get(address, { method: 'HEAD', headers })).status).toBe(304);
  const inside = { co2: 700 + i, voc: 5, created_at: `2026-03-29T12:00:00.${i}Z` };
  const outside = { co2: 700, voc: 5, created_at: `2026-03-31T12:00:00.${i}Z` };
  await post(server.url, outside);
  expect((await get(address, { headers })).status).toBe(304);
  await post(server.url, inside);
  expect((await get(address, { headers })).status).toBe(200);
  expect((await get(`${path}?from=${new Date().toISOString()}`)).headers.get('Cache-Control')).toBe(
    'no-cache',
  );
});

test('the hours, days and summary of a span of whole days count the same readings', async () => {
  const read = async (path: string) => (await get(path)).json();
  const summary: SummaryAnswer = await read(`summary?${SPAN}`);
  const zone = `zone=Europe/Berlin`;
  const days: PatternAnswer = await read(`pattern?${SPAN}&${zone}&by=day`);
  const hours: PatternAnswer = await read(`pattern?${SPAN}&${zone}`);
  const [day] = days.cells;
  expect(days.cells).toHaveLength(1);
  expect(day?.start).toBe('2026-03-28T23:00:00.000Z');
  const { lowest, highest, average } = summary.co2 ?? {};
  expect(day?.co2).toMatchObject({ lowest, highest, average });
  expect(Math.max(...hours.cells.map(({ co2 }) => co2?.highest ?? 0))).toBe(highest);
  expect(hours.typical_day).toEqual(days.typical_day);
  // The clocks skip this hour.
  expect(hours.typical_day.map(({ hour }) => hour)).not.toContain(2);
});

test('without a zone, days and hours are in UTC', async () => {
  const pattern: PatternAnswer = await (await get(`pattern?${SPAN}&by=day`)).json();
  expect(pattern).toEqual(await (await get(`pattern?${SPAN}&by=day&zone=UTC`)).json());
  expect(pattern).not.toEqual(await (await get(`pattern?${SPAN}&by=day&zone=Europe/Berlin`)).json());
  expect(pattern.cells.map(({ start }) => start)).toEqual([
    '2026-03-28T00:00:00.000Z',
    '2026-03-29T00:00:00.000Z',
  ]);
});

test('an empty span and an unknown sensor have no numbers', async () => {
  const time = readings[5]?.created_at;
  for (const query of [`from=${time}&to=${time}`, 'sensor=Attic', `sensor=Attic&from=${time}`]) {
    expect(await (await get(`summary?${query}`)).json()).toEqual({ readings: 0, co2: null, voc: null });
    expect(await (await get(`pattern?${query}&by=day`)).json()).toEqual({ cells: [], typical_day: [] });
  }
});

test.each([
  ['pattern?zone=Berlin', 'zone', 'must be a time zone such as Europe/Berlin, not "Berlin"'],
  ['pattern?by=week', 'by', 'must be hour or day'],
  [
    'pattern?by=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z',
    'by',
    expect.stringContaining('40 days'),
  ],
  ['pattern?points=7', 'points', expect.stringContaining('use sensor, from, to, zone, or by')],
  ['summary?zone=UTC', 'zone', 'is unknown: use sensor, from, or to'],
  [
    'summary?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    'from',
    expect.stringContaining('is after to'),
  ],
])('rejects %s with 400 and says what to do', async (address, field, detail) => {
  const problem = await expectProblem(await get(address), 400);
  expect(problem.errors).toEqual([{ field, detail }]);
});

test('/api/rooms: rooms together over a span and now, worst first, with the numbers of their summaries', async () => {
  const at = (hour: number) => `2026-02-02T${String(hour).padStart(2, '0')}:00:00Z`;
  for (const [sensor, values] of [
    ['Room 9', [800, 1200, 900]],
    ['Room 10', [900, 2100, 1500]],
    ['=1+1', [700, 710, 720]],
  ] as const) {
    for (const [i, co2] of values.entries()) await post(server.url, { sensor, co2, created_at: at(8 + i) });
  }
  await post(server.url, { sensor: 'Room 9', co2: 2400, pm25: 3 });
  await post(server.url, { sensor: 'Room 10', co2: 1100, pm25: 90 });
  const span = `from=${at(0)}&to=${at(12)}`;
  const numbers: RoomNumbers[] = await (await get(`rooms?${span}&zone=Europe/Berlin`)).json();
  expect(numbers.map(({ sensor, worst_hour }) => [sensor, worst_hour])).toEqual([
    ['Room 10', 10],
    ['Room 9', 10],
    ['=1+1', 11],
  ]);
  for (const { sensor, group: _, worst_hour: __, measured_seconds, ...own } of numbers) {
    const { co2 }: SummaryAnswer = await (
      await get(`summary?${span}&sensor=${encodeURIComponent(sensor)}`)
    ).json();
    expect(co2).toMatchObject(own);
    expect(measured_seconds).toBe(
      (own.good_seconds as number) + (own.moderate_seconds as number) + (own.poor_seconds as number),
    );
  }
  const chosen: RoomNumbers[] = await (
    await get(`rooms?${span}&sensor=Room+9&sensor=%3D1%2B1&sensor=Attic`)
  ).json();
  expect(chosen.map(({ sensor }) => sensor)).toEqual(['Room 9', '=1+1']);
  const csv = await get(`rooms?${span}&format=csv`);
  expect(csv.headers.get('Content-Disposition')).toBe('attachment; filename="airboard-rooms-2026-02-02.csv"');
  expect((await csv.text()).split('\r\n')).toEqual([
    'sensor,group,average,highest,highest_at,worst_hour,good_seconds,moderate_seconds,poor_seconds,measured_seconds',
    expect.stringMatching(/^Room 10,,1500,2100,2026-02-02T09:00:00.000Z,9,/),
    expect.stringMatching(/^Room 9,,/),
    expect.stringMatching(/^"'=1\+1",,710,720/),
    '',
  ]);
  const present = async (query = ''): Promise<RoomNow[]> => (await get(`rooms${query}`)).json();
  const states = (rooms: RoomNow[]) =>
    rooms
      .filter(({ freshness }) => freshness === 'live')
      .map(({ sensor, level, value, cause, advice }) => [sensor, level, value, cause, advice]);
  expect(states(await present())).toEqual([
    ['Room 9', 'poor', 2400, null, 'open a window now'],
    ['Room 10', 'poor', 1100, 'pm25', 'PM2.5 is poor'],
  ]);
  expect(states(await present('?metric=co2'))).toEqual([
    ['Room 9', 'poor', 2400, null, 'open a window now'],
    ['Room 10', 'moderate', 1100, null, 'open a window soon'],
  ]);
  const silent = (await present()).find(({ sensor }) => sensor === '=1+1');
  expect(silent).toMatchObject({ freshness: 'silent', advice: 'check the sensor', value: 720, group: '' });
  expect(await present('?group=Nowhere')).toEqual([]);
  const answer = await get('rooms');
  const headers = { 'If-None-Match': answer.headers.get('ETag') as string };
  expect((await get('rooms', { headers })).status).toBe(304);
  for (const [query, field] of [
    ['to=2026-02-02T00:00:00Z', 'from'],
    ['format=csv', 'format'],
    ['sensor=Room+9', 'sensor'],
    ['metric=co3', 'metric'],
    [`from=${at(0)}&zone=Berlin`, 'zone'],
  ]) {
    expect((await expectProblem(await get(`rooms?${query}`), 400)).errors?.[0]?.field).toBe(field);
  }
});
