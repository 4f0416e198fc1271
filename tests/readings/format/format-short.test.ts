import { expect, test } from 'vitest';
import { fitValue, formatShort } from '../../../app/readings/format/format-value';
import { formatTick } from '../../../app/ui/chart/axis-scale';

test.each([
  [867176.24, '867.2K'],
  [999999, '1M'],
  [1234567.89, '1.235M'],
  [-123456789.12, '-123.5M'],
  [1e9, '1B'],
  [2.5e12, '2.5T'],
  [1e15, '1e15'],
  [-1.2346e20, '-1.235e20'],
  [1.7976931348623157e308, '1.798e308'],
  [0.00001234, '1.234e-5'],
])('%d is %s in short', (value, short) => {
  expect(formatShort(value)).toBe(short);
});

test.each([
  [0, '0'],
  [-250, '-250'],
  [0.1 + 0.2, '0.3'],
  [50_000, '50000'],
  [100_000, '100K'],
  [-1_500_000, '-1.5M'],
  [4e20, '4e20'],
])('the tick %d of an axis is %s', (tick, label) => {
  expect(formatTick(tick)).toBe(label);
});

test('a value is in short only if it has more characters than there is room for', () => {
  expect(fitValue('98765.4', 7)).toBe('98765.4');
  expect(fitValue('1234567.89', 7)).toBe('1.235M');
});
