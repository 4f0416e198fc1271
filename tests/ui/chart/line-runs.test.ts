import { expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { DEFAULT_RANGE } from '../../../app/readings/chart/range';
import type { ReadingInput } from '../../../app/readings/reading';
import { lineRuns } from '../../../app/ui/chart/line-runs';
import { reading, START } from '../../support/readings/readings';

const MINUTE = 60_000;

/** Returns the runs of CO2 of readings at these minutes. */
function runsOf(readings: readonly (Partial<ReadingInput> & { minute: number })[]): number[][] {
  const stored = readings.map(({ minute, ...values }, i) =>
    reading(i + 1, { ...values, created_at: new Date(START + minute * MINUTE).toISOString() }),
  );
  return lineRuns(chartSeries(stored, DEFAULT_RANGE), 'co2');
}

/** CO2, temperature and humidity in a reading of their own each, every 4 minutes. */
const apart = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    minute: from + Math.floor(i / 3) * 4 + (i % 3) * 0.1,
    co2: i % 3 === 0 ? 600 : null,
    voc: null,
    temperature: i % 3 === 1 ? 21 : null,
    humidity: i % 3 === 2 ? 40 : null,
  }));

test('joins the values of a metric that is sent in readings of its own', () => {
  expect(runsOf(apart(0, 12))).toEqual([[0, 3, 6, 9]]);
});

test('breaks where the metric is missing for over three of its intervals, although others arrive', () => {
  const co2 = (minute: number) => ({ minute, co2: 600 });
  const none = (minute: number) => ({ minute, co2: null, voc: 100 });
  const minutes = Array.from({ length: 20 }, (_, i) => i);
  expect(runsOf(minutes.map((i) => (i > 7 && i < 12 ? none(i) : co2(i)))).map((run) => run.length)).toEqual([
    8, 8,
  ]);
  expect(runsOf(minutes.map((i) => (i > 7 && i < 10 ? none(i) : co2(i)))).map((run) => run.length)).toEqual([
    18,
  ]);
});

test('breaks at a gap of all readings', () => {
  expect(runsOf([...apart(0, 12), ...apart(90, 12)])).toEqual([
    [0, 3, 6, 9],
    [12, 15, 18, 21],
  ]);
});

test('two values are joined only if they are neighbours', () => {
  const values = (...co2: (number | null)[]) =>
    co2.map((value, minute) => ({ minute, co2: value, voc: 100 }));
  expect(runsOf(values(600, 610, null))).toEqual([[0, 1]]);
  expect(runsOf(values(600, null, 610))).toEqual([[0], [2]]);
  expect(runsOf(values(null, null))).toEqual([]);
});
