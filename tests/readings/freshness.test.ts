import { expect, test } from 'vitest';
import { freshnessOf } from '../../app/readings/freshness';
import type { Reading } from '../../app/readings/reading';
import { reading, readings, readingsWithPauses } from '../support/readings';

const everyQuarterMinute = readings(50);
const judge = (given: readonly Reading[], now: number, isDisconnected: boolean) =>
  freshnessOf({ last: given.at(-1) ?? null, readings: given, isDisconnected }, now);
const newest = Date.parse(everyQuarterMinute.at(-1)?.created_at ?? '');

test.each([
  [-3_600_000, 'ahead'],
  [-60_001, 'ahead'],
  [-60_000, 'live'],
  [-5000, 'live'],
  [0, 'live'],
  [45_000, 'live'],
  [45_001, 'stale'],
  [86_400_000, 'stale'],
])('the newest of readings every 15 s is, %d ms old, %s', (age, freshness) => {
  expect(judge(everyQuarterMinute, newest + age, false)).toBe(freshness);
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
  expect(judge(given, end + limit, false)).toBe('live');
  expect(judge(given, end + limit + 1, false)).toBe('stale');
});

test('without readings there is no freshness', () => {
  expect(judge([], newest, false)).toBe('none');
});

test('a page that lost its server is disconnected, whatever readings it has', () => {
  expect(judge(everyQuarterMinute, newest, true)).toBe('disconnected');
  expect(judge([], newest, true)).toBe('disconnected');
});

test('follows the reading stored last, not one from the future stored before it', () => {
  const future = reading(49, { created_at: '2099-01-01T00:00:00.000Z' });
  const last = reading(50);
  const known = { last, readings: [...readings(48), last, future], isDisconnected: false };
  expect(freshnessOf(known, Date.parse(last.created_at) + 5000)).toBe('live');
  expect(freshnessOf(known, Date.parse(last.created_at) + 50_000)).toBe('stale');
});
