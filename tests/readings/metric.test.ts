import { expect, test } from 'vitest';
import { CO2, METRICS, VOC } from '../../app/readings/metric';

test('CO2 comes before VOC', () => {
  expect(METRICS.map(({ name }) => name)).toEqual(['CO2', 'VOC']);
});

test('the thresholds are those of the specification', () => {
  expect(CO2).toMatchObject({ field: 'co2', unit: 'PPM', threshold: { good: 1000, moderate: 2000 } });
  expect(VOC).toMatchObject({ field: 'voc', unit: 'PPB', threshold: { good: 400, moderate: 800 } });
});
