import { expect, test } from 'vitest';
import { chartSeries, timeLabel } from '../../../app/readings/chart/chart-series';
import { RANGES } from '../../../app/readings/chart/range';
import type { Reading } from '../../../app/readings/reading';
import { reading, readings, START } from '../../support/readings/readings';

const [TEN_MINUTES, HOUR, SIX_HOURS, DAY] = RANGES;

/** Readings with recognizable averages: `co2` is the index, `voc` ten times that. */
const counted = (count: number) => readings(count, (i) => ({ co2: i, voc: 10 * i }));

const averages = (points: ReturnType<typeof chartSeries>) =>
  points.map(({ co2 }) => co2?.average ?? Number.NaN);

test('no readings give no points', () => {
  for (const range of RANGES) expect(chartSeries([], range)).toEqual([]);
});

test('draws up to 40 readings one by one, in every range', () => {
  for (const count of [1, 2, 39, 40]) {
    for (const range of RANGES) {
      const points = chartSeries(counted(count), range);
      expect(averages(points)).toEqual(Array.from({ length: count }, (_, i) => i));
      expect(points.every(({ readings: behind }) => behind === 1)).toBe(true);
    }
  }
});

test('averages the last 40 of 41 or more readings in groups of four', () => {
  const points = chartSeries(counted(41), TEN_MINUTES);
  expect(points).toHaveLength(10);
  expect(averages(points)).toEqual([2.5, 6.5, 10.5, 14.5, 18.5, 22.5, 26.5, 30.5, 34.5, 38.5]);
  expect(points.map(({ voc }) => voc?.average)).toEqual(averages(points).map((average) => 10 * average));
});

test('draws 41 readings at 1HR as two groups of 20 and a newest group of one', () => {
  const points = chartSeries(counted(41), HOUR);
  expect(points.map(({ readings: behind }) => behind)).toEqual([20, 20, 1]);
  expect(averages(points)).toEqual([9.5, 29.5, 40]);
});

test('averages by the number of stored readings, not of loaded ones', () => {
  expect(chartSeries(counted(40), TEN_MINUTES, 41)).toHaveLength(10);
  expect(chartSeries(counted(40), TEN_MINUTES, 40)).toHaveLength(40);
});

test.each([
  [TEN_MINUTES, 10, 4, 4],
  [HOUR, 12, 20, 20],
  [SIX_HOURS, 18, 80, 80],
  [DAY, 24, 240, 240],
])('$name draws its number of points from at most its number of readings', (range, count, size, newest) => {
  const points = chartSeries(counted(range.maxPoints + 100), range);
  expect(points).toHaveLength(count);
  expect(points[0]?.readings).toBe(size);
  expect(points.at(-1)?.readings).toBe(newest);
  expect(points[0]?.co2?.lowest).toBe(100);
  expect(points.at(-1)?.co2?.highest).toBe(range.maxPoints + 99);
});

test.each([
  [SIX_HOURS, 1439, 18, 79],
  [SIX_HOURS, 1440, 18, 80],
  [SIX_HOURS, 1441, 18, 80],
  [DAY, 5670, 24, 150],
  [DAY, 5759, 24, 239],
  [DAY, 5761, 24, 240],
])(
  '$name of %i readings has %i points, with the newest point from %i readings',
  (range, count, length, newest) => {
    const points = chartSeries(counted(count), range);
    expect(points).toHaveLength(length);
    expect(points.at(-1)?.readings).toBe(newest);
  },
);

test('a faulty value is no part of a chart, but counters and random readings are drawn', () => {
  const values = [742, 65_519, 0, -1000, 65_535];
  const points = chartSeries(
    readings(5, (i) => ({ co2: values[i], voc: -i, temperature: i === 1 ? -127 : 21 })),
    TEN_MINUTES,
  );
  expect(points.map(({ co2 }) => co2?.highest ?? null)).toEqual([742, null, 0, null, null]);
  expect(points.map(({ voc }) => voc?.lowest)).toEqual([-0, -1, -2, -3, -4]);
  expect(points.map(({ temperature }) => temperature?.average ?? null)).toEqual([21, null, 21, 21, 21]);
});

test('a group has its average, its lowest and its highest value', () => {
  const values = [5, -3, 8, 2];
  const used = readings(44, (i) => ({ co2: values[i % 4], voc: 100 + (values[i % 4] ?? 0) }));
  expect(chartSeries(used, TEN_MINUTES)[0]).toMatchObject({
    co2: { average: 3, lowest: -3, highest: 8 },
    voc: { average: 103, lowest: 97, highest: 108 },
  });
});

test('a label is the local hour:minute:second without padding', () => {
  const at = (hours: number, minutes: number, seconds: number) =>
    new Date(2026, 0, 2, hours, minutes, seconds).toISOString();
  expect(timeLabel(at(9, 5, 3))).toBe('9:5:3');
  expect(timeLabel(at(0, 0, 0))).toBe('0:0:0');
  expect(timeLabel(at(23, 59, 59))).toBe('23:59:59');
});

test('a group has the label of its first reading, and its first and last time', () => {
  const used = counted(80);
  const points = chartSeries(used, TEN_MINUTES);
  points.forEach((point, i) => {
    const group = used.slice(40 + 4 * i, 44 + 4 * i);
    expect(point.label).toBe(timeLabel((group[0] as Reading).created_at));
    expect([point.from, point.to]).toEqual([group[0]?.created_at, group[3]?.created_at]);
  });
});

/** Readings every 15 s, with an hour missing before each of these indexes. */
function interrupted(count: number, ...before: number[]): Reading[] {
  let time = START;
  return Array.from({ length: count }, (_, i) => {
    time += before.includes(i) ? 3_600_000 : 15_000;
    return reading(i + 1, { created_at: new Date(time).toISOString() });
  });
}

const gaps = (points: ReturnType<typeof chartSeries>) =>
  points.flatMap(({ gapBefore }, i) => (gapBefore ? [i] : []));

test('readings at their usual interval have no gap in any range', () => {
  for (const range of RANGES) expect(gaps(chartSeries(interrupted(1000), range))).toEqual([]);
});

test('a gap between two single readings is before the second', () => {
  expect(gaps(chartSeries(interrupted(30, 12), TEN_MINUTES))).toEqual([12]);
  expect(gaps(chartSeries(interrupted(30, 29), TEN_MINUTES))).toEqual([29]);
});

test('a gap has a start and an end', () => {
  const readings = interrupted(80, 50);
  const [gap] = chartSeries(readings, TEN_MINUTES).flatMap(({ gapBefore }) => gapBefore ?? []);
  expect(gap).toEqual({ from: readings[49]?.created_at, to: readings[50]?.created_at });
});

/** The number of readings behind each point. */
const groups = (points: ReturnType<typeof chartSeries>) => points.map(({ readings }) => readings);

test.each([
  // The last 40 of 80 readings are used, so the group before the gap starts at reading 48.
  ['at the start of a group', 48, [4, 4, 4, 4, 4, 4, 4, 4, 4, 4], 2],
  ['in the middle of a group', 50, [4, 4, 2, 4, 4, 4, 4, 4, 4, 4, 2], 3],
  ['before the last reading of a group', 51, [4, 4, 3, 4, 4, 4, 4, 4, 4, 4, 1], 3],
  ['in the newest group', 78, [4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2], 10],
])('no group spans a gap %s', (_, before, sizes, point) => {
  const points = chartSeries(interrupted(80, before), TEN_MINUTES);
  expect(groups(points)).toEqual(sizes);
  expect(gaps(points)).toEqual([point]);
});

test('counts every gap, even several in what would be one group', () => {
  const points = chartSeries(interrupted(500, 20, 100, 110, 130, 300, 470, 490), DAY);
  expect(gaps(points)).toHaveLength(7);
  expect(groups(points).reduce((a, b) => a + b)).toBe(500);
});

test('ignores a gap before the first used reading', () => {
  expect(gaps(chartSeries(interrupted(80, 40), TEN_MINUTES))).toEqual([]);
});

test('earlier readings set the interval of the first used ones', () => {
  const times = [...Array(20).keys()].map((i) => START + i * 60_000);
  const fast = [...Array(38).keys()].map((i) => START + 19 * 60_000 + (i + 1) * 5000);
  const slowed = [...times, ...fast].map((time, i) =>
    reading(i + 1, { created_at: new Date(time).toISOString() }),
  );
  // Only the first interval of the last 40 readings is long, so these readings alone would have a gap.
  expect(gaps(chartSeries(slowed, TEN_MINUTES, 40))).toEqual([]);
});

test('averages the existing values, and gives a group without values no average', () => {
  const mixed = readings(44, (i) => ({ co2: i % 2 ? i : null, voc: i < 8 ? null : i }));
  const points = chartSeries(mixed, TEN_MINUTES);
  expect(points[0]).toMatchObject({ readings: 4, co2: { average: 6, lowest: 5, highest: 7 }, voc: null });
  expect(points[1]?.voc).toEqual({ average: 9.5, lowest: 8, highest: 11 });
});

test('an unmeasured metric causes no gap', () => {
  const points = chartSeries(
    readings(30, (i) => ({ voc: i > 5 && i < 25 ? null : 100 })),
    TEN_MINUTES,
  );
  expect(points.every(({ gapBefore }) => gapBefore === null)).toBe(true);
});
