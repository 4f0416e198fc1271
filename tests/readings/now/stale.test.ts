import { describe, expect, test } from 'vitest';
import {
  freshnessOf,
  freshnessOfOne,
  isAfterSilence,
  isSilent,
  longestUsualMs,
  MAX_AHEAD_MS,
  MAX_STALE_MS,
  readingsUntil,
  staleAgeAfter,
} from '../../../app/readings/now/stale';
import type { Reading } from '../../../app/readings/reading';
import { seededRandom } from '../../../scripts/seed/seeded-random.js';
import { reading, readings, readingsWithPauses } from '../../support/readings/readings';

const everyQuarterMinute = readings(50);
const judge = (given: readonly Reading[], now: number, isDisconnected: boolean) =>
  freshnessOf({ last: given.at(-1) ?? null, readings: given, isDisconnected }, now);
const newest = Date.parse(everyQuarterMinute.at(-1)?.created_at ?? '');

test.each([
  [-3_600_000, 'ahead'],
  [-(MAX_AHEAD_MS + 5001), 'ahead'],
  [-(MAX_AHEAD_MS + 5000), 'live'],
  [-5000, 'live'],
  [0, 'live'],
  [45_000, 'live'],
  [45_001, 'stale'],
  [86_400_000, 'stale'],
])('with readings every 15 s, the newest at an age of %d ms is %s', (age, freshness) => {
  expect(judge(everyQuarterMinute, newest + age, false)).toBe(freshness);
});

test.each([
  [[], 45_000],
  [[1000, 1000], 45_000],
  [[15_000, 15_000], 45_000],
  [[15_001, 15_001], 45_003],
  // The sensor may have slowed down, so the newest interval counts.
  [[15_000, 30_000], 90_000],
  [[60_000, 60_000], 180_000],
  [[300_000, 300_000], 900_000],
  // A single outage doesn't count once it is over.
  [[15_000, 3_600_000, 15_000], 45_000],
])('after intervals of %j ms, the newest reading is stale above %d ms', (pauses, limit) => {
  const given = readingsWithPauses(...pauses);
  const end = Date.parse(given.at(-1)?.created_at ?? '');
  expect(judge(given, end + limit, false)).toBe('live');
  expect(judge(given, end + limit + 1, false)).toBe('stale');
});

test.each([
  [[3_600_000, 3_600_000], 3],
  [[3_590_000, 3_605_000, 3_600_000, 3_610_000], 3],
  [Array(10).fill(600_000), 0.5],
  // An outage isn't the sensor's interval.
  [[3_600_000, 3_600_000, 86_400_000], 3],
])(
  'after intervals of %j ms, the newest reading is slow from a quarter of an hour to three intervals',
  (pauses, hours) => {
    const given = readingsWithPauses(...pauses);
    const end = Date.parse(given.at(-1)?.created_at ?? '');
    expect(judge(given, end + MAX_STALE_MS, false)).toBe('live');
    expect(judge(given, end + MAX_STALE_MS + 1, false)).toBe('slow');
    expect(judge(given, end + hours * 3_600_000, false)).toBe('slow');
    expect(judge(given, end + hours * 3_600_000 + 1, false)).toBe('stale');
  },
);

test.each([
  ['a single interval', [3_600_000]],
  ['an outage', [15_000, 15_000, 15_000, 3_600_000]],
  ['two outages', [15_000, 15_000, 15_000, 3_600_000, 15_000, 7_200_000]],
])('after %s, the newest reading is stale after 15 minutes', (_, pauses) => {
  const given = readingsWithPauses(...pauses);
  const end = Date.parse(given.at(-1)?.created_at ?? '');
  expect(judge(given, end + MAX_STALE_MS + 1, false)).toBe('stale');
});

test.each([
  [[15_000, 15_000], null, 15 * 60_000],
  [[3_600_000, 3_600_000], null, 3 * 3_600_000],
  [[], null, 15 * 60_000],
  [[15_000, 15_000], 60_000, 60_000],
  // With `SILENT_AFTER`, no reading is live after a notification of silence.
  [[300_000, 300_000], 60_000, 60_000],
])(
  'after intervals of %j ms and SILENT_AFTER of %j ms, the sensor is silent after %d ms',
  (pauses, silentAfterMs, ms) => {
    const given = readingsWithPauses(...pauses);
    const last = given.at(-1) as Reading;
    const known = { last, readings: given, isDisconnected: false, silentAfterMs };
    const end = Date.parse(last.created_at);
    expect([isSilent(known, end + ms), isSilent(known, end + ms + 1)]).toEqual([false, true]);
    expect(freshnessOf(known, end + ms + 1)).toBe('stale');
    expect(freshnessOfOne(last, end + Math.max(ms, MAX_STALE_MS) + 1, silentAfterMs)).toBe('stale');
    expect(freshnessOfOne(last, end + Math.min(ms, MAX_STALE_MS), silentAfterMs)).toBe('live');
  },
);

test('without readings, the freshness is none', () => {
  expect(judge([], newest, false)).toBe('none');
});

test('a page that lost its server is disconnected, whatever its readings', () => {
  expect(judge(everyQuarterMinute, newest, true)).toBe('disconnected');
  expect(judge([], newest, true)).toBe('disconnected');
});

test('uses the reading stored last, not an earlier one from the future', () => {
  const future = reading(99, { created_at: '2099-01-01T00:00:00.000Z' });
  const last = reading(50);
  const known = { last, readings: [...readings(49), last, future], isDisconnected: false };
  expect(freshnessOf(known, Date.parse(last.created_at) + 5000)).toBe('live');
  expect(freshnessOf(known, Date.parse(last.created_at) + 50_000)).toBe('stale');
});

const SEED = 20260102;

describe(`generated intervals (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const jittered = (ms: number) => ms * (0.8 + 0.4 * random());
  const beat = (count: number, ms: number) => Array.from({ length: count }, () => jittered(ms));
  const burst = (count: number) => beat(count, 100);

  /** Returns the intervals up to each reading that the page would have called stale before the next one. */
  function falseAlarms(pauses: readonly number[], from: number): number[] {
    const given = readingsWithPauses(...pauses);
    return pauses.flatMap((_, i) => (i > from && isAfterSilence(given, i + 1) ? [i] : []));
  }

  test.each([1, 2, 5, 10, 15, 30, 60, 120, 240, 299])(
    'a sensor that sends every %d s is never stale, however its intervals vary',
    (seconds) => {
      expect(falseAlarms(beat(60, seconds * 1000), 1)).toEqual([]);
    },
  );

  test.each([1, 5, 15, 30, 60, 300, 1800, 21_600])(
    'the newest reading of a sensor that sends every %d s stops being current after 15 minutes at the latest',
    (seconds) => {
      const given = readingsWithPauses(...beat(60, seconds * 1000));
      const end = Date.parse(given.at(-1)?.created_at ?? '');
      expect(judge(given, end + Math.max(45_001, 4 * seconds * 1000), false)).toBe('stale');
      expect(judge(given, end + MAX_STALE_MS + 1, false)).not.toBe('live');
      expect(judge(given, end + 45_000, false)).toBe('live');
    },
  );

  test.each([
    [15, 3],
    [15, 100],
    [60, 3],
    [60, 100],
    [60, 500],
    [280, 100],
  ])('a sensor that sends every %d s is not stale after a burst of %d readings', (seconds, count) => {
    const pauses = [...beat(20, seconds * 1000), ...burst(count), ...beat(20, seconds * 1000)];
    expect(falseAlarms(pauses, 1)).toEqual([]);
  });

  test('a sensor that slows from 15 s to 5 min is stale only until its first slow reading', () => {
    const pauses = [...beat(100, 15_000), ...beat(30, 290_000)];
    expect(falseAlarms(pauses, 1)).toEqual([100]);
  });

  test('a sensor that speeds up from 5 min to 15 s is never stale, and its newest reading is later stale after 60 s', () => {
    const pauses = [...beat(20, 280_000), ...beat(80, 15_000)];
    expect(falseAlarms(pauses, 1)).toEqual([]);
    const given = readingsWithPauses(...pauses);
    expect(judge(given, Date.parse(given.at(-1)?.created_at ?? '') + 60_000, false)).toBe('stale');
  });
});

test('the time before the first reading is a silence', () => {
  expect(isAfterSilence(readings(2), 0)).toBe(true);
  expect(isAfterSilence(readings(2), 1)).toBe(false);
});

test('drops readings from the future, and adds the last one if it is missing', () => {
  const future = reading(9, { created_at: '2099-01-01T00:00:00.000Z' });
  const known = readings(3);
  expect(readingsUntil(known, known[2] as Reading)).toBe(known);
  expect(readingsUntil([...known, future], known[2] as Reading)).toEqual(known);
  expect(readingsUntil([future], reading(4))).toEqual([reading(4)]);
});

const times = (count: number, ms: number) => Array<number>(count).fill(ms);

test('fewer than two readings have no usual interval', () => {
  expect(longestUsualMs([])).toBe(0);
  expect(longestUsualMs(readingsWithPauses())).toBe(0);
  expect(longestUsualMs(readingsWithPauses(7000))).toBe(7000);
});

test.each([
  [[1000, 15_000, 15_000, 15_000], 15_000],
  [[15_000, 86_400_000, 15_000, 15_000], 15_000],
  [[3000, 1000, 2000], 2000],
  [[15_000, 15_000, 15_000, 300_000], 300_000],
  [[15_000, 15_000, 300_000, 300_000, 15_000], 300_000],
])(
  'after intervals of %j ms, the usual one is the second longest, or the newest if that is longer: %d ms',
  (pauses, ms) => {
    expect(longestUsualMs(readingsWithPauses(...pauses))).toBe(ms);
  },
);

test('uses the latest eight intervals', () => {
  const slow = times(10, 3_600_000);
  expect(longestUsualMs(readingsWithPauses(...slow, ...times(6, 1_800_000)))).toBe(3_600_000);
  expect(longestUsualMs(readingsWithPauses(...slow, ...times(7, 1_800_000)))).toBe(1_800_000);
});

test('uses all intervals that ended in the last 15 minutes, so a burst hides none', () => {
  const minutes = times(10, 60_000);
  expect(longestUsualMs(readingsWithPauses(...minutes, ...times(300, 100)))).toBe(60_000);
  expect(longestUsualMs(readingsWithPauses(...minutes, ...times(901, 1000)))).toBe(1000);
});

test('ignores readings after the given number', () => {
  const given = readingsWithPauses(1000, 2000, 50_000, 3000);
  for (const count of [0, 1, 2, 3, 4])
    expect(longestUsualMs(given, count)).toBe(longestUsualMs(given.slice(0, count)));
});

test.each([
  [[]],
  [[15_000]],
  [[60_000, 20_000]],
  [[15_000, 15_000, 3_600_000, 15_000]],
  [[280_000, 280_000]],
])(
  'with intervals of %j ms, notifications treat the earlier air as unknown after the same silence as pages',
  (intervals) => {
    const limit = staleAgeAfter(intervals);
    const after = (ms: number) => readingsWithPauses(...intervals, ms);
    if (intervals.length > 0) expect(isAfterSilence(after(limit), intervals.length + 1)).toBe(false);
    expect(isAfterSilence(after(limit + 1), intervals.length + 1)).toBe(true);
  },
);
