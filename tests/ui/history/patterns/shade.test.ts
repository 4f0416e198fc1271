import { expect, test } from 'vitest';
import { shadeOf } from '../../../../app/ui/history/patterns/shade';
import { THRESHOLDS } from '../../../support/readings/readings';

test.each([
  [-50, 'good', 1],
  [0, 'good', 1],
  [333, 'good', 1],
  [334, 'good', 2],
  [667, 'good', 3],
  [999.9, 'good', 3],
  [1000, 'moderate', 1],
  [1334, 'moderate', 2],
  [1999, 'moderate', 3],
  [2000, 'poor', 1],
  [2334, 'poor', 2],
  [2667, 'poor', 3],
  [1e300, 'poor', 3],
])('%d PPM is %s, shade %d', (value, level, depth) => {
  expect(shadeOf(value, THRESHOLDS.co2)).toEqual({ level, depth });
});
