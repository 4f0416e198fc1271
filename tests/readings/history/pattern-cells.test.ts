import { expect, test } from 'vitest';
import type { Cell } from '../../../app/readings/history/history-answer';
import {
  cellFinder,
  describeCell,
  nameTime,
  usualCellSeconds,
  usualSeconds,
  worstTime,
} from '../../../app/readings/history/pattern-cells';
import { daysByHour } from '../../../app/readings/history/time-rows';
import { CO2, metricOf, VOC } from '../../../app/readings/metric';
import { metricAnswer } from '../../support/history/history-answers';
import { THRESHOLDS } from '../../support/readings/readings';
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

test('finds the cell that starts in an hour, even after the start of the hour', () => {
  const cells = [cell(START, 500), cell(START + 2 * HOUR_MS, 600), cell(START + 3.5 * HOUR_MS, 700)];
  const find = cellFinder(cells);
  const found = [-1, 0, 1, 2, 3, 4].map((i) => find(hour(i))?.co2?.average);
  expect(found).toEqual([undefined, 500, undefined, 600, 700, undefined]);
  expect(cellFinder([])(hour(0))).toBeUndefined();
});

test('finds the cell of a day that starts an hour earlier or later in the zone of the server', () => {
  const day = (i: number) => ({ from: START + i * 24 * HOUR_MS, to: START + (i + 1) * 24 * HOUR_MS });
  for (const shift of [-1, 1]) {
    const cells = [0, 1].map((i) => cell(day(i).from + shift * HOUR_MS, 500 + i));
    const found = [-1, 0, 1, 2].map((i) => cellFinder(cells)(day(i))?.co2?.average);
    expect(found).toEqual([undefined, 500, 501, undefined]);
  }
});

const TIMES = [0, 1, 2, 3].map(hour);

test('without time above the thresholds, the worst time is the newest with the highest average', () => {
  const cells = [cell(START, 500, 90), cell(START + HOUR_MS, 700, 80), cell(START + 2 * HOUR_MS, 700, null)];
  expect(worstTime(TIMES, cellFinder(cells), CO2, 3600)).toEqual(hour(2));
  expect(worstTime(TIMES, cellFinder(cells), VOC, 3600)).toEqual(hour(0));
  expect(worstTime(TIMES, cellFinder([cell(START, 500)]), VOC, 3600)).toBeUndefined();
});

test('the worst time was poor for longest, then moderate for longest, and is never sparse', () => {
  const worstOf = (...answers: Parameters<typeof metricAnswer>[]) => {
    const cells = answers.map((answer, i) => ({ ...cell(hour(i).from, null), co2: metricAnswer(...answer) }));
    return worstTime(TIMES, cellFinder(cells), CO2, usualCellSeconds(cells, CO2));
  };
  const moderate = { good_seconds: 3000, moderate_seconds: 600 };
  expect(worstOf([700, moderate], [910])).toEqual(hour(0));
  expect(worstOf([700, { good_seconds: 3300, poor_seconds: 300 }], [950, moderate])).toEqual(hour(0));
  const single = { good_seconds: 0, moderate_seconds: 300 };
  expect(worstOf([700], [710], [1900, single], [705])).toEqual(hour(1));
});

test('half of the measured time is in cells of at least the usual length', () => {
  expect(usualSeconds([])).toBe(0);
  expect(usualSeconds([300, 3600])).toBe(3600);
  expect(usualSeconds([...Array<number>(20).fill(300), 3600, 3600, 3600])).toBe(3600);
  expect(usualSeconds([...Array<number>(100).fill(14_400), 86_400])).toBe(14_400);
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
])('names the hours of a day with a clock change: %s on %s', (zone, noon, column, names) => {
  setTimeZone(zone);
  const from = new Date(noon).setHours(0, 0);
  const [day] = daysByHour({ from, to: from + 12 * HOUR_MS });
  expect(day?.columns[column]?.map((time) => nameTime(time, 'hour').split(', ')[1])).toEqual(names);
});

test('an average is a whole number from 100 up, and never suggests another level', () => {
  const co2 = (average: number) => describeCell(metricAnswer(average), CO2, THRESHOLDS.co2, 3600);
  expect([1212.6, 999.7, 999.2, 99.27].map(co2)).toEqual([
    'average 1213 PPM, moderate',
    'average 999.7 PPM, good',
    'average 999 PPM, good',
    'average 99.27 PPM, good',
  ]);
});

test('a cell shows the time above a threshold, and the measured time if it is short', () => {
  const describe = (average: number, seconds: Parameters<typeof metricAnswer>[1]) =>
    describeCell(metricAnswer(average, seconds), CO2, THRESHOLDS.co2, 86_400);
  const day = { good_seconds: 75_000, moderate_seconds: 11_400 };
  expect(describe(702, { ...day, highest: 1325 })).toBe(
    'average 702 PPM, good, above 1000 PPM for 3 h 10 min',
  );
  expect(describe(702, { ...day, highest: 1000 })).toBe('average 702 PPM, good, at 1000 PPM for 3 h 10 min');
  expect(describe(702, { ...day, poor_seconds: 600 })).toMatch(/, above 2000 PPM for 10 min$/);
  expect(describe(1900, { good_seconds: 0, moderate_seconds: 300 })).toBe(
    'average 1900 PPM, moderate, above 1000 PPM for 5 min, only 5 min measured',
  );
});

test('a cell of a metric without thresholds shows its range, and the time outside its band', () => {
  const humidity = {
    lowest: 25.5,
    average: 41.25,
    highest: 48,
    measured_seconds: 3600,
    outside_seconds: 600,
  };
  expect(describeCell(humidity, metricOf('humidity'), undefined, 3600)).toBe(
    'average 41.3 %, 25.5 to 48, outside 30 to 60 % for 10 min',
  );
  const pressure = { lowest: 990, average: 1001.2, highest: 1020, measured_seconds: 600 };
  expect(describeCell(pressure, metricOf('pressure'), undefined, 3600)).toBe(
    'average 1001 hPa, 990 to 1020, only 10 min measured',
  );
});
