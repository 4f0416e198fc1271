import { expect, test } from 'vitest';
import { DEFAULT_RANGE, findRange, HISTORY_LIMIT, RANGES } from '../../../app/readings/chart/range';

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
