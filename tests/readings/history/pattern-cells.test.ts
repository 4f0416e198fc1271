import { expect, test } from 'vitest';
import type { Cell } from '../../../app/readings/history/history-answer';
import {
  cellFinder,
  describeAverage,
  nameTime,
  worstTime,
} from '../../../app/readings/history/pattern-cells';
import { CO2, VOC } from '../../../app/readings/metric';
import { daysByHour } from '../../../app/readings/time/time-rows';
import { metricAnswer } from '../../support/history/history';
import { THRESHOLDS } from '../../support/readings/thresholds';
import { keepTimeZone, setTimeZone } from '../../support/time-zone';

keepTimeZone();

const HOUR_MS = 3_600_000;
const START = new Date('2026-11-21T00:00').getTime();

const hour = (i: number) => ({ from: START + i * HOUR_MS, to: START + (i + 1) * HOUR_MS });
const cell = (start: number, co2: number | null, voc: number | null = null): Cell => ({
  start: new Date(start).toISOString(),
  co2: co2 === null ? null : metricAnswer(co2),
  voc: voc === null ? null : metricAnswer(voc),
});

test('finds the cell that begins in an hour, also where it begins later than the hour', () => {
  const cells = [cell(START, 500), cell(START + 2 * HOUR_MS, 600), cell(START + 3.5 * HOUR_MS, 700)];
  const find = cellFinder(cells);
  const found = [-1, 0, 1, 2, 3, 4].map((i) => find(hour(i))?.co2?.average);
  expect(found).toEqual([undefined, 500, undefined, 600, 700, undefined]);
  expect(cellFinder([])(hour(0))).toBeUndefined();
});

test('finds the cell of a day whose cells begin an hour earlier or later, by the time zones of the server', () => {
  const day = (i: number) => ({ from: START + i * 24 * HOUR_MS, to: START + (i + 1) * 24 * HOUR_MS });
  for (const shift of [-1, 1]) {
    const cells = [0, 1].map((i) => cell(day(i).from + shift * HOUR_MS, 500 + i));
    const found = [-1, 0, 1, 2].map((i) => cellFinder(cells)(day(i))?.co2?.average);
    expect(found).toEqual([undefined, 500, 501, undefined]);
  }
});

test('the worst time is the newest of those with the highest average of the metric', () => {
  const cells = [cell(START, 500, 90), cell(START + HOUR_MS, 700, 80), cell(START + 2 * HOUR_MS, 700, null)];
  const times = [0, 1, 2, 3].map(hour);
  expect(worstTime(times, cellFinder(cells), CO2)).toEqual(hour(2));
  expect(worstTime(times, cellFinder(cells), VOC)).toEqual(hour(0));
  expect(worstTime(times, cellFinder([cell(START, 500)]), VOC)).toBeUndefined();
});

test('names hours and days', () => {
  expect(nameTime(hour(18), 'hour')).toBe('Sat 21 Nov, 18:00–19:00');
  expect(nameTime(hour(23), 'hour')).toBe('Sat 21 Nov, 23:00–0:00');
  expect(nameTime({ from: START, to: START + 24 * HOUR_MS }, 'day')).toBe('Sat 21 Nov 2026');
});

test.each([
  ['Europe/Rome', '2026-10-25T12:00', 2, ['2:00–3:00 (first time)', '2:00–3:00 (second time)']],
  ['Europe/Rome', '2026-03-29T12:00', 1, ['1:00–2:00']],
  ['Australia/Lord_Howe', '2026-04-05T12:00', 1, ['1:00–2:00 (first time)', '1:30–2:00 (second time)']],
  ['Asia/Kathmandu', '2026-10-25T12:00', 2, ['2:00–3:00']],
])('names the hours of a day on which the clocks change: %s on %s', (zone, noon, column, names) => {
  setTimeZone(zone);
  const from = new Date(noon).setHours(0, 0);
  const [day] = daysByHour({ from, to: from + 12 * HOUR_MS });
  expect(day?.columns[column]?.map((time) => nameTime(time, 'hour').split(', ')[1])).toEqual(names);
});

test('an average is whole from 100 on, and never looks like another level', () => {
  const co2 = (average: number) => describeAverage(average, CO2, THRESHOLDS.co2);
  expect([1212.6, 999.7, 999.2, 99.27].map(co2)).toEqual([
    'average 1213 PPM, moderate',
    'average 999.7 PPM, good',
    'average 999 PPM, good',
    'average 99.27 PPM, good',
  ]);
});
