import { expect, test } from 'vitest';
import { findGaps } from '../../app/readings/gap';
import { readingsWithPauses } from '../support/readings';

test('no readings have no gaps, and the first has none before it', () => {
  expect(findGaps([])).toEqual([]);
  expect(findGaps(readingsWithPauses())).toEqual([false]);
});

test('a gap is a pause above three times the usual interval', () => {
  const gaps = (pause: number) => findGaps(readingsWithPauses(15_000, 15_000, pause, 15_000));
  expect(gaps(45_000)).toEqual([false, false, false, false, false]);
  expect(gaps(45_001)).toEqual([false, false, false, true, false]);
});

test('a sender of many readings a second may pause for one second', () => {
  expect(findGaps(readingsWithPauses(100, 100, 1000, 100))).not.toContain(true);
  expect(findGaps(readingsWithPauses(100, 100, 1001, 100))).toEqual([false, false, false, true, false]);
});

test('the only interval is the usual one, however long', () => {
  expect(findGaps(readingsWithPauses(86_400_000))).toEqual([false, false]);
});
