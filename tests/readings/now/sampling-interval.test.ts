import { expect, test } from 'vitest';
import { samplingIntervalMs } from '../../../app/readings/now/sampling-interval';
import { readingsWithPauses } from '../../support/readings/readings';

const times = (count: number, ms: number) => Array<number>(count).fill(ms);

test('fewer than two readings have no usual interval', () => {
  expect(samplingIntervalMs([])).toBeNull();
  expect(samplingIntervalMs(readingsWithPauses())).toBeNull();
  expect(samplingIntervalMs(readingsWithPauses(7000))).toBe(7000);
});

test.each([
  [[1000, 15_000, 15_000, 15_000], 15_000],
  [[15_000, 86_400_000, 15_000, 15_000], 15_000],
  [[3000, 1000, 2000], 2000],
  [[15_000, 15_000, 15_000, 300_000], 300_000],
  [[15_000, 15_000, 300_000, 300_000, 15_000], 300_000],
])(
  'after pauses of %j ms it is the longest but one, or the newest if that is longer: %d ms',
  (pauses, ms) => {
    expect(samplingIntervalMs(readingsWithPauses(...pauses))).toBe(ms);
  },
);

test('the latest eight pauses count', () => {
  const slow = times(10, 3_600_000);
  expect(samplingIntervalMs(readingsWithPauses(...slow, ...times(6, 1_800_000)))).toBe(3_600_000);
  expect(samplingIntervalMs(readingsWithPauses(...slow, ...times(7, 1_800_000)))).toBe(1_800_000);
});

test('all pauses count that ended in the last 15 minutes, so that a burst hides none', () => {
  const minutes = times(10, 60_000);
  expect(samplingIntervalMs(readingsWithPauses(...minutes, ...times(300, 100)))).toBe(60_000);
  expect(samplingIntervalMs(readingsWithPauses(...minutes, ...times(901, 1000)))).toBe(1000);
});

test('readings after the given number are ignored', () => {
  const given = readingsWithPauses(1000, 2000, 50_000, 3000);
  for (const count of [0, 1, 2, 3, 4])
    expect(samplingIntervalMs(given, count)).toBe(samplingIntervalMs(given.slice(0, count)));
});
