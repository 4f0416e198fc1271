import { expect, test } from 'vitest';
import {
  DEFAULT_RANGE,
  findRange,
  HISTORY_LIMIT,
  RANGES,
  rangeMs,
  timedIntervalMs,
} from '../../../app/readings/chart/range';
import type { MetricValues } from '../../../app/readings/reading';
import { reading } from '../../support/readings/readings';

test('the ranges are those of decision 0001, with 5670 readings for 24HR', () => {
  expect(RANGES).toEqual([
    { name: '10MIN', interval: 4, maxPoints: 40, enabledFrom: 0 },
    { name: '1HR', interval: 20, maxPoints: 240, enabledFrom: 240 },
    { name: '6HR', interval: 80, maxPoints: 1440, enabledFrom: 1440 },
    { name: '24HR', interval: 240, maxPoints: 5760, enabledFrom: 5670 },
  ]);
});

test('10MIN is the default, and a page keeps as many readings as the longest range shows', () => {
  expect(DEFAULT_RANGE.name).toBe('10MIN');
  expect(HISTORY_LIMIT).toBe(5760);
});

test('finds a range only by its exact name', () => {
  for (const range of RANGES) expect(findRange(range.name)).toBe(range);
  for (const name of ['', '1hr', ' 1HR', '10 MIN', '48HR', 'toString'])
    expect(findRange(name)).toBeUndefined();
});

test('the names of the ranges are their times', () => {
  expect(RANGES.map((range) => rangeMs(range) / 60_000)).toEqual([10, 60, 360, 1440]);
});

/** Readings with these seconds between them. */
function readingsAfter(
  intervals: readonly number[],
  valuesOf: (i: number) => MetricValues = () => ({ co2: 600, voc: 100 }),
) {
  const start = Date.parse('2026-11-21T12:00:00Z');
  let seconds = 0;
  return [0, ...intervals].map((interval, i) => {
    seconds += interval;
    return reading(i + 1, { ...valuesOf(i), created_at: new Date(start + seconds * 1000).toISOString() });
  });
}

const times = (count: number, ...intervals: number[]) =>
  Array.from({ length: count }, () => intervals).flat();

test.each([
  ['the requested sensor', times(40, 15), null],
  ['a sensor of 20 s', times(10, 20), null],
  ['a sensor of 20 s whose clock isn’t exact', times(10, 20.4, 19.8, 20.3), null],
  ['a sensor of 21 s', times(10, 21), 21],
  ['a sensor of a minute', times(10, 60), 60],
  ['an hourly sensor', times(3, 3600), 3600],
  ['no interval', [], null],
  ['one interval, which may be an outage', [300], null],
  ['a new sensor with three readings', [300, 301], 300],
  ['the requested sensor after an outage of a day', [...times(20, 15), 86_400, 15], null],
  ['a sensor of a minute after an outage of a day', [...times(20, 60), 86_400], 60],
  ['a burst after slow readings', [...times(20, 300), ...times(8, 0.1)], null],
  ['slow readings after a burst', [...times(40, 0.1), ...times(5, 300)], 300],
  ['a single second post', [...times(20, 300), 1, 299], 300],
])('the ranges of %s are counts or times by its usual interval', (_, intervals, expected) => {
  expect(timedIntervalMs(readingsAfter(intervals))).toBe(expected && expected * 1000);
});

test('a sensor that sends each metric in a reading of its own has the interval of the metric', () => {
  const metricOf = (i: number): MetricValues =>
    [
      { co2: 600, voc: null },
      { co2: null, voc: null, temperature: 20 },
      { co2: null, voc: null, humidity: 40 },
    ][i % 3] ?? { co2: null, voc: null };
  expect(timedIntervalMs(readingsAfter(times(10, 1, 1, 298), metricOf))).toBe(300_000);
  expect(timedIntervalMs(readingsAfter(times(10, 1, 1, 13), metricOf))).toBe(null);
});
