import { expect, test } from 'vitest';
import { lowerMedian, quartilesOf, upperMedian } from '../../app/readings/quantiles';

test.each([
  [[7], { lower: 7, median: 7, upper: 7 }],
  [[2, 1], { lower: 1.25, median: 1.5, upper: 1.75 }],
  [[30, 10, 20], { lower: 15, median: 20, upper: 25 }],
  [[4, 1, 3, 2, 5], { lower: 2, median: 3, upper: 4 }],
  [[100, 9, 20], { lower: 14.5, median: 20, upper: 60 }],
  [[-1e308, 1e308], { lower: -0.5e308, median: 0, upper: 0.5e308 }],
])('the quartiles of %j are %j', (values, quartiles) => {
  expect(quartilesOf(values)).toEqual(quartiles);
});

test('of an even count, the lower or the higher of the middle two values is the median', () => {
  expect([lowerMedian([4, 1, 3, 2]), upperMedian([4, 1, 3, 2])]).toEqual([2, 3]);
  expect([lowerMedian([3, 1, 2]), upperMedian([3, 1, 2])]).toEqual([2, 2]);
  expect([lowerMedian([]), upperMedian([])]).toEqual([null, null]);
});
