import { expect, test } from 'vitest';
import { formatReading } from '../../app/ui/format-reading';

test.each([
  [{ co2: 862, voc: 120.5 }, 'CO2 862 PPM, VOC 120.5 PPB'],
  [{ co2: 862, voc: null }, 'CO2 862 PPM'],
  [{ co2: null, voc: 0 }, 'VOC 0 PPB'],
])('%j is "%s"', (values, text) => {
  expect(formatReading(values)).toBe(text);
});
