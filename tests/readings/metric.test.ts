import { expect, test } from 'vitest';
import { CO2, METRICS, measuredMetrics, VOC } from '../../app/readings/metric';

test('CO2 comes before VOC', () => {
  expect(METRICS.map(({ name }) => name)).toEqual(['CO2', 'VOC']);
});

test('CO2 is in PPM and VOC in PPB', () => {
  expect(CO2).toMatchObject({ field: 'co2', unit: 'PPM' });
  expect(VOC).toMatchObject({ field: 'voc', unit: 'PPB' });
});

test('a metric is measured if any reading has a value of it, zero included', () => {
  expect(measuredMetrics([{ co2: null, voc: 0 }])).toEqual([VOC]);
  expect(
    measuredMetrics([
      { co2: null, voc: 1 },
      { co2: 2, voc: null },
    ]),
  ).toEqual([CO2, VOC]);
  expect(measuredMetrics([])).toEqual([]);
});
