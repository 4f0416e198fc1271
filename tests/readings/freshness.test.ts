import { expect, test } from 'vitest';
import { freshnessOf } from '../../app/readings/freshness';
import { reading, readings } from '../support/readings';

const everyQuarterMinute = readings(50);
const newest = Date.parse(everyQuarterMinute.at(-1)?.created_at ?? '');

test.each([
  [-5000, 'live'],
  [0, 'live'],
  [45_000, 'live'],
  [45_001, 'stale'],
  [86_400_000, 'stale'],
])('a reading of every 15 s is, %d ms old, %s', (age, freshness) => {
  expect(freshnessOf(everyQuarterMinute, newest + age, false)).toBe(freshness);
});

test('a slow sensor gets three times its usual pause', () => {
  const hourly = [0, 1, 2].map((i) => reading(i, { created_at: new Date(i * 3_600_000).toISOString() }));
  expect(freshnessOf(hourly, 5 * 3_600_000, false)).toBe('live');
  expect(freshnessOf(hourly, 5 * 3_600_000 + 1, false)).toBe('stale');
});

test('is none without readings', () => {
  expect(freshnessOf([], newest, false)).toBe('none');
});

test('a page that lost its server is disconnected, whatever it holds', () => {
  expect(freshnessOf(everyQuarterMinute, newest, true)).toBe('disconnected');
  expect(freshnessOf([], newest, true)).toBe('disconnected');
});
