import { expect, test } from 'vitest';
import type { PatternAnswer } from '../../../app/readings/history/history-answer';
import {
  describeHour,
  nameHour,
  typicalHours,
  unbroken,
  worstHour,
} from '../../../app/readings/history/typical-day';
import { CO2, VOC } from '../../../app/readings/metric';
import { THRESHOLDS } from '../../support/readings/thresholds';

const quartiles = (median: number, days = 7) => ({ lower: median - 10, median, upper: median + 10, days });
const hour = (hour: number, median: number) => ({ hour, ...quartiles(median) });
const PATTERN: PatternAnswer = {
  cells: [],
  typical_day: [
    { hour: 0, co2: quartiles(500), voc: null },
    { hour: 1, co2: quartiles(700), voc: quartiles(90) },
    { hour: 5, co2: quartiles(700), voc: null },
  ],
};

test('a metric has the hours that it has values of', () => {
  expect(typicalHours(PATTERN, CO2).map(({ hour }) => hour)).toEqual([0, 1, 5]);
  expect(typicalHours(PATTERN, VOC)).toEqual([hour(1, 90)]);
});

test('hours are divided where some are missing', () => {
  const runs = unbroken([0, 1, 2, 4, 22, 23].map((i) => hour(i, 500)));
  expect(runs.map((run) => run.map(({ hour }) => hour))).toEqual([[0, 1, 2], [4], [22, 23]]);
  expect(unbroken([])).toEqual([]);
});

test('the worst hour has the highest median, and is the first of several', () => {
  expect(worstHour(typicalHours(PATTERN, CO2))?.hour).toBe(1);
  expect(worstHour([])).toBeUndefined();
});

test('an hour is named and described', () => {
  expect([0, 18, 23].map(nameHour)).toEqual(['0:00–1:00', '18:00–19:00', '23:00–0:00']);
  const typical = { hour: 18, lower: 1000.6, median: 1212.6, upper: 1340.2 };
  const describe = (days: number) => describeHour({ ...typical, days }, CO2, THRESHOLDS.co2);
  expect(describe(7)).toBe('median 1213 PPM, middle half 1001 to 1340, 7 days');
  expect(describe(1)).toBe('median 1213 PPM, middle half 1001 to 1340, 1 day');
});
