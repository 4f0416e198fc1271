import { expect, test } from 'vitest';
import { levelOf, severityOf } from '../../../app/readings/level/level';
import { THRESHOLDS } from '../../support/readings/readings';

test.each([
  [-1, 'good'],
  [0, 'good'],
  [999, 'good'],
  [999.99, 'good'],
  [1000, 'moderate'],
  [1000.01, 'moderate'],
  [1999.99, 'moderate'],
  [2000, 'poor'],
  [2000.01, 'poor'],
  [1e308, 'poor'],
])('%d PPM of CO2 is %s', (value, level) => {
  expect(levelOf(value, THRESHOLDS.co2)).toBe(level);
});

test.each([
  [-1, 'good'],
  [0, 'good'],
  [399, 'good'],
  [399.99, 'good'],
  [400, 'moderate'],
  [400.01, 'moderate'],
  [799, 'moderate'],
  [799.99, 'moderate'],
  [800, 'poor'],
  [801, 'poor'],
])('%d PPB of VOC is %s', (value, level) => {
  expect(levelOf(value, THRESHOLDS.voc)).toBe(level);
});

test.each([
  [-100, -0.1],
  [0, 0],
  [500, 0.5],
  [1000, 1],
  [2000, 1.5],
  [3000, 2],
  [4000, 2.5],
])('with thresholds of 1000 and 3000, %d has a severity of %d', (value, severity) => {
  expect(severityOf(value, { good: 1000, moderate: 3000 })).toBe(severity);
});
