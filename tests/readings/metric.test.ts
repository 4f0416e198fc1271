import { expect, test } from 'vitest';
import { CO2, METRICS, VOC } from '../../app/readings/metric';

test('CO2 comes before VOC', () => {
  expect(METRICS.map(({ name }) => name)).toEqual(['CO2', 'VOC']);
});

test('the units are those of the specification', () => {
  expect(CO2).toMatchObject({ field: 'co2', unit: 'PPM' });
  expect(VOC).toMatchObject({ field: 'voc', unit: 'PPB' });
});
