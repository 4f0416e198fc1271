import { expect, test } from 'vitest';
import { freshnessOf } from '../../app/readings/freshness';
import { readings, readingsWithPauses } from '../support/readings';

const everyQuarterMinute = readings(50);
const newest = Date.parse(everyQuarterMinute.at(-1)?.created_at ?? '');

test.each([
  [-5000, 'live'],
  [0, 'live'],
  [45_000, 'live'],
  [45_001, 'stale'],
  [86_400_000, 'stale'],
])('the newest of readings every 15 s is, %d ms old, %s', (age, freshness) => {
  expect(freshnessOf(everyQuarterMinute, newest + age, false)).toBe(freshness);
});

test.each([
  [[], 45_000],
  [[1000, 1000], 45_000],
  [[15_000, 15_000], 45_000],
  [[15_001, 15_001], 45_003],
  [[60_000, 60_000], 180_000],
  [[3_600_000, 3_600_000], 10_800_000],
])('after pauses of %j ms the newest reading is stale above %d ms', (pauses, limit) => {
  const given = readingsWithPauses(...pauses);
  const end = Date.parse(given.at(-1)?.created_at ?? '');
  expect(freshnessOf(given, end + limit, false)).toBe('live');
  expect(freshnessOf(given, end + limit + 1, false)).toBe('stale');
});

test('without readings there is no freshness', () => {
  expect(freshnessOf([], newest, false)).toBe('none');
});

test('a page that lost its server is disconnected, whatever readings it has', () => {
  expect(freshnessOf(everyQuarterMinute, newest, true)).toBe('disconnected');
  expect(freshnessOf([], newest, true)).toBe('disconnected');
});
