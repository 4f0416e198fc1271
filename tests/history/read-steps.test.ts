import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { metricAnswers } from '../../app/history/read-steps.server';
import { type MetricTotals, mergeTotals } from '../../app/readings/roll-up/roll-up';

const seconds = { good: 300, moderate: 600, poor: 900 };

function totalsOf(values: readonly number[]): MetricTotals {
  const each = values.map((value) => ({ values: 1, sum: value, lowest: value, highest: value, seconds }));
  return each.reduce<MetricTotals | null>(mergeTotals, null) as MetricTotals;
}

const metricAnswer = (co2: MetricTotals) =>
  metricAnswers({ start: 0, readings: 1, co2, voc: null }, parseEnv({}).thresholds).co2;

test('names the totals as the API does', () => {
  expect(metricAnswer(totalsOf([1000]))).toEqual({
    lowest: 1000,
    average: 1000,
    highest: 1000,
    good_seconds: 300,
    moderate_seconds: 600,
    poor_seconds: 900,
  });
});

test('the average is the same for any order of values', () => {
  const orders = [
    [0.1, 0.2, 0.3],
    [0.3, 0.2, 0.1],
  ].map(totalsOf);
  expect(new Set(orders.map(({ sum }) => sum)).size).toBe(2);
  expect(orders.map((totals) => metricAnswer(totals)?.average)).toEqual([0.2, 0.2]);
});

test.each([
  [[0.1, 0.1, 0.1]],
  [[1234.56789012345, 1234.56789012345]],
  [[1e308, 1e308]],
  [[-1e308, 1.7e308, 1.7e308]],
])('the average of %j lies between the lowest and the highest', (values) => {
  const { lowest, average, highest } = metricAnswer(totalsOf(values)) ?? {
    lowest: 1,
    average: 0,
    highest: 0,
  };
  expect(average).toBeGreaterThanOrEqual(lowest);
  expect(average).toBeLessThanOrEqual(highest);
});
