import { expect, test } from 'vitest';
import { formatChange, formatShortChange, percentageChange } from '../../../app/ui/tiles/metric-card';

test.each([
  [110, 100, 10],
  [90, 100, -10],
  [100, 100, 0],
  [415, 400, 3.75],
  [400, 300, 33.33],
  [500, 300, 66.67],
  [1, 3, -66.67],
  [0, 50, -100],
  [-50, 50, -200],
  [300, 1, 29_900],
  [100.006, 100, 0.01],
])('%d after %d is (new - previous) / previous * 100, with two decimals: %d', (value, previous, change) => {
  expect(percentageChange(value, previous)).toBe(change);
});

test.each([0, -0, -10, -0.01, null, undefined])(
  'there is no change from a previous value of %s',
  (previous) => {
    expect(percentageChange(415, previous)).toBeNull();
    expect(formatChange(percentageChange(415, previous))).toBe('–');
  },
);

test('returns null instead of Infinity for a huge change', () => {
  expect(percentageChange(1e308, 1e-10)).toBeNull();
  expect(percentageChange(-1e308, 5e-324)).toBeNull();
});

test.each([
  [100.004, 100],
  [99.996, 100],
  [1e-320, 1e-320],
])('a change that rounds to zero has no sign (%d after %d)', (value, previous) => {
  expect(Object.is(percentageChange(value, previous), 0)).toBe(true);
  expect(formatChange(percentageChange(value, previous))).toBe('0.00%');
});

test.each([
  [12.34, '+12.34%'],
  [0.01, '+0.01%'],
  [-5, '-5.00%'],
  [-0.01, '-0.01%'],
  [0, '0.00%'],
  [100, '+100.00%'],
  [29_900, '+29900.00%'],
  [null, '–'],
])('%d is shown as %s', (change, shown) => {
  expect(formatChange(change)).toBe(shown);
});

test.each([
  [627.27, '+627%'],
  [-627.27, '-627%'],
  [100, '+100%'],
  [29_900, '+29900%'],
  [99_900, '+99900%'],
  [99_900.01, 'more than ×1000'],
  [-1e9, 'more than ×1000'],
])('%d is shortened to %s', (change, shown) => {
  expect(formatShortChange(change)).toBe(shown);
});
