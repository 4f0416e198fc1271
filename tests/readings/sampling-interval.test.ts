import { expect, test } from 'vitest';
import { intervalsMs, median, samplingIntervalMs } from '../../app/readings/sampling-interval';
import { readingsWithPauses } from '../support/readings';

const times = (count: number, ms: number) => Array<number>(count).fill(ms);

test('fewer than two readings have no usual interval', () => {
  expect(samplingIntervalMs([])).toBeNull();
  expect(samplingIntervalMs(readingsWithPauses())).toBeNull();
  expect(samplingIntervalMs(readingsWithPauses(7000))).toBe(7000);
});

test('the usual interval is the median, which one long pause does not change', () => {
  expect(samplingIntervalMs(readingsWithPauses(1000, 15_000, 15_000, 15_000, 86_400_000))).toBe(15_000);
  expect(samplingIntervalMs(readingsWithPauses(3000, 1000, 2000))).toBe(2000);
});

test('only the newest 40 intervals count', () => {
  expect(samplingIntervalMs(readingsWithPauses(...times(500, 60_000), ...times(40, 2000)))).toBe(2000);
  // One interval fewer or more would tip the median to the other side.
  const tipping = [...times(100, 60_000), 2000, ...times(20, 60_000), ...times(19, 2000)];
  expect(samplingIntervalMs(readingsWithPauses(...tipping))).toBe(2000);
});

test('intervals are those between neighbours', () => {
  expect(intervalsMs([])).toEqual([]);
  expect(intervalsMs(readingsWithPauses(3000, 1000))).toEqual([3000, 1000]);
});

test.each([
  [[], null],
  [[5], 5],
  [[9, 1], 1],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2],
])('the median of %j is %j', (numbers, expected) => {
  expect(median(numbers)).toBe(expected);
});
