import { expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { RANGES } from '../../../app/readings/chart/range';
import { pointText, spokenText } from '../../../app/ui/chart/point-text';
import { reading, readings, readingsWithPauses, START } from '../../support/readings/readings';
import { THRESHOLDS } from '../../support/readings/thresholds';

const [TEN_MINUTES] = RANGES;
/** The day of the readings. */
const NOW = new Date(START);
const TIME = /^\d+:\d+:\d+$/;

test('a reading has its time and its values', () => {
  const [point] = chartSeries(readings(3), TEN_MINUTES);
  if (!point) throw new Error('no point');
  const { time, values, notes } = pointText(point, THRESHOLDS, NOW);
  expect(time).toMatch(TIME);
  expect(values.map(({ value, range }) => [value, range])).toEqual([
    ['CO2 401 PPM', ''],
    ['VOC 101 PPB', ''],
  ]);
  expect(notes).toEqual([]);
  expect(spokenText(point, THRESHOLDS, NOW)).toBe(`${time}; CO2 401 PPM; VOC 101 PPB`);
});

test('an average has its time span, the extremes and the number of its readings, in short lines', () => {
  const [point] = chartSeries(readings(41), TEN_MINUTES);
  if (!point) throw new Error('no point');
  const { time, values, notes } = pointText(point, THRESHOLDS, NOW);
  expect(time.split(' – ').every((end) => TIME.test(end))).toBe(true);
  expect(values.map(({ value, range }) => [value, range])).toEqual([
    ['CO2 403.5 PPM', '402 to 405'],
    ['VOC 103.5 PPB', '102 to 105'],
  ]);
  expect(notes).toEqual(['average of 4 readings']);
  expect(spokenText(point, THRESHOLDS, NOW)).toContain(
    '; CO2 403.5 PPM, 402 to 405; VOC 103.5 PPB, 102 to 105; average of 4',
  );
});

test('the point after a gap says so', () => {
  const points = chartSeries(readingsWithPauses(15_000, 15_000, 3_600_000, 15_000), TEN_MINUTES);
  expect(points.map((point) => pointText(point, THRESHOLDS, NOW).notes.length)).toEqual([0, 0, 0, 1, 0]);
  expect(pointText(points[3] as (typeof points)[0], THRESHOLDS, NOW).notes[0]).toMatch(/ without readings, /);
});

test('no value is shown on the wrong side of a limit', () => {
  const [point] = chartSeries([reading(1, { co2: 999.999, voc: 400.001 })], TEN_MINUTES);
  if (!point) throw new Error('no point');
  expect(pointText(point, THRESHOLDS, NOW).values.map(({ value }) => value)).toEqual([
    'CO2 999.99 PPM',
    'VOC 400 PPB',
  ]);
});

test("says which metric isn't measured", () => {
  const [point] = chartSeries(
    readings(3, () => ({ co2: null })),
    TEN_MINUTES,
  );
  if (!point) throw new Error('no point');
  expect(spokenText(point, THRESHOLDS, NOW)).toMatch(/; CO2 not measured; VOC 101 PPB$/);
});
