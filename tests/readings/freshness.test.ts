import { expect, test } from 'vitest';
import {
  type Connection,
  formatDuration,
  freshnessOf,
  readingLevel,
  serverTimeAt,
} from '../../app/readings/freshness';
import { reading, readings } from '../support/readings';

const live: Connection = { state: 'live' };
const everyQuarterMinute = readings(50);
const newest = Date.parse(everyQuarterMinute.at(-1)?.created_at ?? '');

test.each([
  [-5000, 'live'],
  [0, 'live'],
  [45_000, 'live'],
  [45_001, 'stale'],
  [86_400_000, 'stale'],
])('a reading of every 15 s is, %d ms old, %s', (age, freshness) => {
  expect(freshnessOf(everyQuarterMinute, newest + age, live)).toBe(freshness);
});

test('a slow sensor gets three times its usual pause', () => {
  const hourly = [0, 1, 2].map((i) => reading(i, { created_at: new Date(i * 3_600_000).toISOString() }));
  expect(freshnessOf(hourly, 5 * 3_600_000, live)).toBe('live');
  expect(freshnessOf(hourly, 5 * 3_600_000 + 1, live)).toBe('stale');
});

test('without readings there is none, while the page is still connecting too', () => {
  expect(freshnessOf([], newest, live)).toBe('none');
  expect(freshnessOf([], newest, { state: 'connecting' })).toBe('none');
  expect(freshnessOf(everyQuarterMinute, newest, { state: 'connecting' })).toBe('live');
});

test('a page that lost its server is disconnected, whatever it holds', () => {
  const disconnected: Connection = { state: 'disconnected', since: newest };
  expect(freshnessOf(everyQuarterMinute, newest, disconnected)).toBe('disconnected');
  expect(freshnessOf([], newest, disconnected)).toBe('disconnected');
});

test('time is the server’s, though the viewer’s clock is an hour wrong', () => {
  const clock = { serverTime: 1_000_000, viewerTime: 1_000_000 + 3_600_000 };
  expect(serverTimeAt(clock, clock.viewerTime)).toBe(1_000_000);
  expect(serverTimeAt(clock, clock.viewerTime + 5000)).toBe(1_005_000);
  expect(serverTimeAt(clock, null)).toBe(1_000_000);
  expect(serverTimeAt({ serverTime: 1_000_000, viewerTime: null }, 7)).toBe(1_000_000);
});

test.each([
  [-1, '0 s'],
  [0, '0 s'],
  [999, '0 s'],
  [1000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [86_399_999, '23 h'],
  [86_400_000, '1 d'],
  [400 * 86_400_000, '400 d'],
])('%d ms is %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test.each([
  [999, 399, 'good'],
  [1000, 399, 'moderate'],
  [999, 400, 'moderate'],
  [2000, 0, 'poor'],
  [0, 800, 'poor'],
])('a reading of %d PPM and %d PPB is %s: the worse of the two', (co2, voc, level) => {
  expect(readingLevel(reading(1, { co2, voc }))).toBe(level);
});
