import { expect, test } from 'vitest';
import { findGaps, samplingIntervalMs, staleAfterMs } from '../../app/readings/sampling-interval';
import { reading, START } from '../support/readings';

/** Readings with these pauses, in milliseconds, between them. */
function paused(...pauses: number[]) {
  let time = START;
  return [0, ...pauses].map((pause, i) => {
    time += pause;
    return reading(i + 1, { created_at: new Date(time).toISOString() });
  });
}

const times = (count: number, ms: number) => Array<number>(count).fill(ms);

test('fewer than two readings have no usual spacing', () => {
  expect(samplingIntervalMs([])).toBeNull();
  expect(samplingIntervalMs(paused())).toBeNull();
  expect(samplingIntervalMs(paused(7000))).toBe(7000);
});

test('the usual spacing is the median, so that one long pause does not change it', () => {
  expect(samplingIntervalMs(paused(1000, 15_000, 15_000, 15_000, 86_400_000))).toBe(15_000);
  expect(samplingIntervalMs(paused(3000, 1000, 2000))).toBe(2000);
});

test('only the newest 40 pauses count', () => {
  expect(samplingIntervalMs(paused(...times(500, 60_000), ...times(40, 2000)))).toBe(2000);
  // One pause fewer or more would tip the median to the other side.
  const tipping = [...times(100, 60_000), 2000, ...times(20, 60_000), ...times(19, 2000)];
  expect(samplingIntervalMs(paused(...tipping))).toBe(2000);
});

test.each([
  [[], 45_000],
  [[1000, 1000], 45_000],
  [[15_000, 15_000], 45_000],
  [[15_001, 15_001], 45_003],
  [[60_000, 60_000], 180_000],
])('after pauses of %j silence is stale past %d ms', (pauses, stale) => {
  expect(staleAfterMs(paused(...pauses))).toBe(stale);
});

test('no readings have no gaps, and the first has none before it', () => {
  expect(findGaps([])).toEqual([]);
  expect(findGaps(paused())).toEqual([false]);
});

test('a gap is a pause above three times the usual one', () => {
  expect(findGaps(paused(15_000, 15_000, 45_000, 15_000))).toEqual([false, false, false, false, false]);
  expect(findGaps(paused(15_000, 15_000, 45_001, 15_000))).toEqual([false, false, false, true, false]);
});

test('a sender of many a second may pause for one before that is a gap', () => {
  expect(findGaps(paused(100, 100, 1000, 100))).not.toContain(true);
  expect(findGaps(paused(100, 100, 1001, 100))).toEqual([false, false, false, true, false]);
});

test('one pause alone is what is usual, however long', () => {
  expect(findGaps(paused(86_400_000))).toEqual([false, false]);
});
