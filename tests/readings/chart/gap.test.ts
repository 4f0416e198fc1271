import { expect, test } from 'vitest';
import { findGaps } from '../../../app/readings/chart/gap';
import { readingsWithPauses } from '../../support/readings/readings';

/** Returns the indexes of the intervals that are gaps. */
const gapsIn = (...pausesMs: number[]) =>
  findGaps(readingsWithPauses(...pausesMs)).flatMap((isGap, i) => (isGap ? [i - 1] : []));

const times = (count: number, ms: number) => Array<number>(count).fill(ms);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test('there is no gap without readings, or before the first one', () => {
  expect(findGaps([])).toEqual([]);
  expect(findGaps(readingsWithPauses())).toEqual([false]);
});

test('a gap is an interval above three times the usual one', () => {
  expect(gapsIn(15_000, 15_000, 45_000, 15_000)).toEqual([]);
  expect(gapsIn(15_000, 15_000, 45_001, 15_000)).toEqual([2]);
});

test('a sensor with many readings a second may stop for one second', () => {
  expect(gapsIn(100, 100, 1000, 100)).toEqual([]);
  expect(gapsIn(100, 100, 1001, 100)).toEqual([2]);
});

test('a single interval is the usual one, however long', () => {
  expect(gapsIn(DAY)).toEqual([]);
});

test('a sensor that changes its interval has no gaps, in either direction', () => {
  expect(gapsIn(...times(100, 60_000), ...times(500, 5000))).toEqual([]);
  expect(gapsIn(...times(500, 5000), ...times(100, 60_000))).toEqual([]);
  expect(gapsIn(...times(500, 15_000), ...times(5, 300_000))).toEqual([]);
});

test('a longer interval counts from its third occurrence on', () => {
  const slowing = (count: number) => gapsIn(...times(500, 15_000), ...times(count, 300_000));
  expect([1, 2, 3, 4].map((count) => slowing(count).length)).toEqual([1, 2, 0, 0]);
});

test('a gap is judged by the nearby intervals, not by those of the whole history', () => {
  const slow = times(500, 60_000);
  expect(gapsIn(...slow, ...times(10, 5000), 59_000, ...times(10, 5000), ...slow)).toEqual([510]);
  expect(gapsIn(...times(20, HOUR), 2 * HOUR, ...times(20, HOUR), ...times(5000, 15_000))).toEqual([]);
});

test('pairs of readings that arrive every minute have no gaps', () => {
  const pairs = Array.from({ length: 100 }, (_, i) => (i % 2 ? 59_000 : 1000));
  expect(gapsIn(...pairs)).toEqual([]);
});

test('finds points that are alone between gaps: the first, several in a row, and the newest', () => {
  expect(gapsIn(DAY, ...times(50, 15_000))).toEqual([0]);
  expect(gapsIn(...times(50, 15_000), 6 * HOUR, 8 * DAY, HOUR, ...times(50, 15_000))).toEqual([50, 51, 52]);
  expect(gapsIn(...times(50, 15_000), DAY)).toEqual([50]);
});

test('finds 28 gaps between 6 hours and 8 days', () => {
  const stretch = (i: number) => [...times(20 + 13 * i, 60_000), 6 * HOUR + i * 6.6 * HOUR];
  const pauses = Array.from({ length: 28 }, (_, i) => stretch(i)).flat();
  expect(gapsIn(...pauses, ...times(50, 60_000))).toHaveLength(28);
});
