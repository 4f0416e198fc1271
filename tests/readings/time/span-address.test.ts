import { describe, expect, test } from 'vitest';
import type { AskedSpan } from '../../../app/readings/time/history-span';
import { parseSpan, roundPart, withSpan } from '../../../app/readings/time/span-address';

const parse = (search: string) => parseSpan(new URLSearchParams(search));
const at = (time: string) => Date.parse(time);

test.each<[string, AskedSpan]>([
  ['', { name: 'day', date: null }],
  ['?sensor=Kitchen', { name: 'day', date: null }],
  ['?span=week', { name: 'week', date: null }],
  ['?date=2026-11-21', { name: 'day', date: '2026-11-21' }],
  ['?span=month&date=2024-02-29', { name: 'month', date: '2024-02-29' }],
  ['?span=all', { name: 'all' }],
  ['?span=week&to=2026-11-21T10:00:00Z', { name: 'week', date: null, to: at('2026-11-21T10:00Z') }],
  [
    '?from=2026-11-21T10:00:00Z&to=2026-11-21T12:00:00.5Z',
    { name: 'part', from: at('2026-11-21T10:00Z'), to: at('2026-11-21T12:00:00.500Z') },
  ],
  // A plus sign that isn't encoded arrives as a space.
  [
    '?from=2026-11-21T10:00:00+01:00&to=2026-11-21T12:00:00%2B01:00',
    { name: 'part', from: at('2026-11-21T09:00Z'), to: at('2026-11-21T11:00Z') },
  ],
])('reads %s', (search, asked) => {
  expect(parse(search)).toEqual(asked);
});

test.each([
  ['?span=decade', 'There is no span "decade". Choose day, week, month, year or all.'],
  ['?date=2026-02-29', '"2026-02-29" isn\'t a date. Write one like 2026-11-21.'],
  ['?date=1999-12-31', 'Choose a time in the years from 2000 to 2098.'],
  ['?from=2098-12-31T00:00:00Z&to=2099-01-01T00:00:00Z', 'Choose a time in the years from 2000 to 2098.'],
  ['?date=yesterday', "isn't a date"],
  ['?from=2026-11-21T10:00:00Z', 'Write both from and to like 2026-11-21T00:00:00Z.'],
  ['?from=2026-11-21&to=2026-11-22', '"2026-11-21" isn\'t a time with its zone.'],
  [
    '?from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z',
    "from must be before to: 2026-11-21T10:00:00Z isn't before 2026-11-21T10:00:00Z.",
  ],
  [
    '?from=1970-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'The span is longer than 38 years. Choose a shorter one.',
  ],
  ['?span=week&to=yesterday', '"yesterday" isn\'t a time with its zone.'],
  ['?span=day&to=2026-11-21T10:00:00Z', 'both a span and from or to'],
  ['?span=day&from=2026-11-21T10:00:00Z&to=2026-11-21T12:00:00Z', 'both a span and from or to'],
])('rejects %s: %s', (search, message) => {
  expect(() => parse(search)).toThrow(message);
});

test.each<AskedSpan>([
  { name: 'day', date: null },
  { name: 'year', date: '2026-11-21' },
  { name: 'month', date: null, to: at('2026-11-21T10:00Z') },
  { name: 'all' },
  { name: 'part', from: at('2026-11-21T10:00Z'), to: at('2026-11-21T10:00:12.345Z') },
])('an address leads back to its source: %o', (asked) => {
  expect(parse(withSpan('?span=month&date=2020-01-01', asked))).toEqual(asked);
});

test('another span keeps the other parameters, in a readable form', () => {
  const part = { name: 'part', from: at('2026-11-21T10:00Z'), to: at('2026-11-21T12:00Z') } as const;
  expect(withSpan('?sensor=Living+room&span=day&compare=before', part)).toBe(
    '?sensor=Living+room&compare=before&from=2026-11-21T10:00:00Z&to=2026-11-21T12:00:00Z',
  );
});

describe('the times of a custom span', () => {
  test('are whole seconds if a second is less than a pixel', () => {
    expect(roundPart({ from: 1499, to: 2_001_501 })).toEqual({ name: 'part', from: 1000, to: 2_002_000 });
  });

  test('are milliseconds in a short span, of at least one millisecond', () => {
    expect(roundPart({ from: 1499.4, to: 11_500.6 })).toEqual({ name: 'part', from: 1499, to: 11_501 });
    expect(roundPart({ from: 10, to: 10.2 })).toEqual({ name: 'part', from: 10, to: 11 });
  });
});
