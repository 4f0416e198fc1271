import { expect, test } from 'vitest';
import type { PatternAnswer } from '../../../../app/readings/history/history-answer';
import { CO2, VOC } from '../../../../app/readings/metric';
import {
  describeHour,
  nameHour,
  type TypicalHour,
  typicalHours,
  unbroken,
  worstHour,
} from '../../../../app/ui/history/patterns/typical-hours';
import { THRESHOLDS } from '../../../support/readings/readings';

const quartiles = (median: number, days = 7, measured_seconds = days * 3600) => ({
  lower: median - 10,
  median,
  upper: median + 10,
  days,
  measured_seconds,
});
const hour = (hour: number, median: number) => ({ hour, ...quartiles(median), isSparse: false });
const PATTERN: PatternAnswer = {
  cells: [],
  typical_day: [
    { hour: 0, co2: quartiles(500), voc: null },
    { hour: 1, co2: quartiles(700), voc: quartiles(90) },
    { hour: 5, co2: quartiles(700), voc: null },
  ],
};

test('includes the hours with values of the metric', () => {
  expect(typicalHours(PATTERN, CO2).map(({ hour }) => hour)).toEqual([0, 1, 5]);
  expect(typicalHours(PATTERN, VOC)).toEqual([hour(1, 90)]);
});

test('splits the hours where some are missing', () => {
  const runs = unbroken([0, 1, 2, 4, 22, 23].map((i) => hour(i, 500)));
  expect(runs.map((run) => run.map(({ hour }) => hour))).toEqual([[0, 1, 2], [4], [22, 23]]);
  expect(unbroken([])).toEqual([]);
});

test('the worst hour is the first with the highest median', () => {
  expect(worstHour(typicalHours(PATTERN, CO2))?.hour).toBe(1);
  expect(worstHour([])).toBeUndefined();
});

test('an hour with less than half of the usual time is sparse, and never the worst', () => {
  const hours = (...ofHours: [days: number, seconds: number][]) =>
    typicalHours(
      {
        cells: [],
        typical_day: ofHours.map(([days, seconds], i) => ({
          hour: i,
          co2: quartiles(700 + i, days, seconds),
          voc: null,
        })),
      },
      CO2,
    );
  // A sensor that is on in the evening, with single readings at night.
  const stray = hours(...Array(3).fill([28, 28 * 3600]), ...Array(12).fill([6, 6 * 300]), [1, 300]);
  expect(stray.map(({ isSparse }) => isSparse)).toEqual([...Array(3).fill(false), ...Array(13).fill(true)]);
  expect(worstHour(stray)?.hour).toBe(2);
  expect(describeHour(stray[15] as TypicalHour, CO2, THRESHOLDS.co2)).toBe(
    'median 715 PPM, middle 50 % 705 to 725, 1 day, only 5 min measured',
  );
  expect(hours([7, 7200], [7, 3600]).map(({ isSparse }) => isSparse)).toEqual([false, false]);
});

test('names no worst hour for fewer than five days', () => {
  const of = (days: number) => worstHour([{ ...hour(4, 700), days }]);
  expect([of(4), of(5)?.hour]).toEqual([undefined, 4]);
});

test('names and describes an hour', () => {
  expect([0, 18, 23].map(nameHour)).toEqual(['0:00–1:00', '18:00–19:00', '23:00–0:00']);
  const typical = {
    hour: 18,
    lower: 1000.6,
    median: 1212.6,
    upper: 1340.2,
    measured_seconds: 7200,
    isSparse: false,
  };
  const describe = (days: number) => describeHour({ ...typical, days }, CO2, THRESHOLDS.co2);
  expect(describe(7)).toBe('median 1213 PPM, middle 50 % 1001 to 1340, 7 days');
  expect(describe(1)).toBe('median 1213 PPM, middle 50 % 1001 to 1340, 1 day');
});
