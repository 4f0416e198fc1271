import { expect, test } from 'vitest';
import { formatValue } from '../../app/readings/format-value';

test.each([
  [415, '415'],
  [0, '0'],
  [-0, '0'],
  [-0.001, '0'],
  [-12, '-12'],
  [415.5, '415.5'],
  [415.456, '415.46'],
  [0.005, '0.01'],
  [1234567.891, '1234567.89'],
  [1e21, '1e+21'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
])('%d is shown as %s', (value, shown) => {
  expect(formatValue(value)).toBe(shown);
});
