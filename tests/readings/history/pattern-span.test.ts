import { afterEach, beforeEach, expect, test } from 'vitest';
import { patternOf } from '../../../app/readings/history/pattern-span';

const zone = process.env.TZ;

beforeEach(() => {
  process.env.TZ = 'Europe/Berlin';
});

afterEach(() => {
  process.env.TZ = zone;
  if (zone === undefined) delete process.env.TZ;
});

test.each([
  [
    'a day',
    '2026-10-27T00:00+01:00',
    '2026-10-28T00:00+01:00',
    '2026-10-21T00:00+02:00',
    '2026-10-28T00:00+01:00',
    'hour',
  ],
  [
    'an hour',
    '2026-10-27T10:00+01:00',
    '2026-10-27T11:00+01:00',
    '2026-10-21T00:00+02:00',
    '2026-10-28T00:00+01:00',
    'hour',
  ],
  [
    'a little over ten days',
    '2026-10-17T23:59+02:00',
    '2026-10-28T00:01+01:00',
    '2026-10-17T00:00+02:00',
    '2026-10-29T00:00+01:00',
    'hour',
  ],
  [
    '40 days',
    '2026-10-01T00:00+02:00',
    '2026-11-10T00:00+01:00',
    '2026-10-01T00:00+02:00',
    '2026-11-10T00:00+01:00',
    'hour',
  ],
  [
    '41 days',
    '2026-10-01T00:00+02:00',
    '2026-11-10T00:01+01:00',
    '2026-10-01T00:00+02:00',
    '2026-11-11T00:00+01:00',
    'day',
  ],
])('the pattern of %s, %s to %s, is from %s to %s by %s', (_, from, to, start, end, by) => {
  const span = { from: Date.parse(from), to: Date.parse(to) };
  const isLonger = Date.parse(end) - Date.parse(start) < 8 * 86_400_000;
  expect(patternOf(span)).toEqual({ span: { from: Date.parse(start), to: Date.parse(end) }, by, isLonger });
});

test('the pattern of a week covers exactly its own days', () => {
  const week = { from: Date.parse('2026-10-19T00:00+02:00'), to: Date.parse('2026-10-26T00:00+01:00') };
  expect(patternOf(week)).toEqual({ span: week, by: 'hour', isLonger: false });
});
