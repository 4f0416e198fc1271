import { expect, test } from 'vitest';
import { cellLook, shadeOf } from '../../../../app/ui/history/patterns/shade';
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

test('the shade of a metric without levels shows its place between the lowest and highest value', () => {
  const shades = [19, 20, 21, 22, 23, 24].map(
    (value) => /metric-rgb\)\/(\d+)%/.exec(cellLook(value, undefined, { lowest: 19, highest: 24 }))?.[1],
  );
  expect(shades).toEqual(['14', '32', '50', '70', '92', '92']);
  expect(cellLook(21, undefined, { lowest: 21, highest: 21 })).toContain('/14%');
});
