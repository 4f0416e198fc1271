import { describe, expect, test } from 'vitest';
import { type ChartPoint, chartSeries } from '../../../app/readings/chart/chart-series';
import { DEFAULT_RANGE, findRange, RANGES } from '../../../app/readings/chart/range';
import {
  type ComfortLimits,
  METRICS_IN_FAHRENHEIT,
  type Metric,
  metricOf,
} from '../../../app/readings/metric';
import { chartModel, metricLabel } from '../../../app/ui/chart/chart-model';
import {
  describeChart,
  describeZones,
  gapLength,
  gapText,
  pointText,
  pointTime,
  spokenText,
} from '../../../app/ui/chart/chart-text';
import { reading, readings, readingsWithPauses, START, THRESHOLDS } from '../../support/readings/readings';

const MINUTE = 60_000;
const DAY = 86_400_000;
const AFTERWARDS = new Date(START + 20 * DAY);

const modelOf = (used: ReturnType<typeof readings>, thresholds = THRESHOLDS) =>
  chartModel(chartSeries(used, findRange('24HR') ?? DEFAULT_RANGE), thresholds);

test('gives the number of gaps, and the longest with its days', () => {
  const stretch = Array<number>(30).fill(MINUTE);
  const pauses = [...stretch, DAY, ...stretch, 7.75 * DAY, ...stretch, DAY / 4, ...stretch];
  const model = modelOf(readingsWithPauses(...pauses));
  expect(model.gaps).toHaveLength(3);
  expect(describeChart(model, AFTERWARDS)).toMatch(
    /Readings are missing in 3 places\. The longest is 7 d 18 h without readings, 3 Jan [\d:]+ to 11 Jan [\d:]+\./,
  );
  expect(describeChart(model, AFTERWARDS)).toMatch(
    /^Line chart from 2 Jan [\d:]+ to 11 Jan [\d:]+: \d+ points\./,
  );
});

test('times for screen readers have two digits, although the axis has not', () => {
  const start = new Date(2026, 10, 21, 15, 5, 6).getTime();
  const used = [0, 20].map((s, i) =>
    reading(i + 1, { created_at: new Date(start + s * 1000).toISOString() }),
  );
  const model = modelOf(used);
  const now = new Date(2026, 10, 21, 18);
  expect(describeChart(model, now)).toMatch(/^Line chart from 15:05:06 to 15:05:26: /);
  const [point] = model.points;
  expect(point && spokenText(point, model, now)).toMatch(/^15:05:06; /);
  expect(point && pointText(point, model, now).time).toBe('15:5:6');
});

test('shows no times until the time zone is known', () => {
  const stretch = Array<number>(30).fill(MINUTE);
  const text = describeChart(modelOf(readingsWithPauses(...stretch, DAY, ...stretch)), null);
  expect(text).toMatch(/^Line chart: 2 points\./);
  expect(text).toContain('Readings are missing in one place.');
  expect(text).not.toMatch(/\d:\d/);
});

test('names the bounds of the zones', () => {
  expect(describeChart(modelOf(readings(3)), AFTERWARDS)).toContain(
    'Zones: good below 1000 PPM CO2 and 400 PPB VOC, poor from 2000 PPM CO2 and 800 PPB VOC.',
  );
});

test('shows all decimals of a threshold', () => {
  const thresholds = { co2: { good: 1000, moderate: 2000 }, voc: { good: 0.125, moderate: 0.375 } };
  const text = describeZones(modelOf(readings(3), thresholds));
  expect(text).toBe('Zones: good below 0.125 PPB VOC, poor from 0.375 PPB VOC. CO2 is poor from 2000 PPM.');
});

test('names the metric of the zones if they apply to one metric only', () => {
  const thresholds = { co2: { good: 1000, moderate: 1500 }, voc: { good: 400, moderate: 800 } };
  const used = readings(3, () => ({ co2: 1200, voc: 100 }));
  expect(describeZones(modelOf(used, thresholds))).toBe(
    'Zones: good below 1000 PPM CO2, poor from 1500 PPM CO2. VOC is poor from 800 PPB.',
  );
});

test('names the unmeasured metric, and omits its thresholds', () => {
  const text = describeChart(modelOf(readings(3, () => ({ voc: null }))), AFTERWARDS);
  expect(text).toContain('CO2 between 401 and 403 PPM, newest point 403. VOC not measured.');
  expect(text).toContain('Zones: good below 1000 PPM CO2, poor from 2000 PPM CO2.');
  const both = readings(3, (i) => (i === 2 ? { voc: null } : {}));
  expect(describeChart(modelOf(both), AFTERWARDS)).toContain(
    'VOC between 101 and 102 PPB, newest point without it.',
  );
});

const [TEN_MINUTES] = RANGES;
/** The day of the readings in these tests. */
const THAT_DAY = new Date(START);
const MODEL = chartModel(chartSeries(readings(1), TEN_MINUTES), THRESHOLDS);
const TIME = /^\d+:\d+:\d+$/;

test('shows the time and values of a reading', () => {
  const [point] = chartSeries(readings(3), TEN_MINUTES);
  if (!point) throw new Error('no point');
  const { time, values, notes } = pointText(point, MODEL, THAT_DAY);
  expect(time).toMatch(TIME);
  expect(values.map(({ value, range }) => [value, range])).toEqual([
    ['CO2 401 PPM', ''],
    ['VOC 101 PPB', ''],
  ]);
  expect(notes).toEqual([]);
  const spoken = time.replace(/\b\d(?=$|:)/g, '0$&').replace(/^0(?=\d:)/, '');
  expect(spokenText(point, MODEL, THAT_DAY)).toBe(`${spoken}; CO2 401 PPM; VOC 101 PPB`);
});

test('shows the time span, the extremes and the number of readings of an average', () => {
  const [point] = chartSeries(readings(41), TEN_MINUTES);
  if (!point) throw new Error('no point');
  const { time, values, notes } = pointText(point, MODEL, THAT_DAY);
  expect(time.split(' – ').every((end) => TIME.test(end))).toBe(true);
  expect(values.map(({ value, range }) => [value, range])).toEqual([
    ['CO2 403.5 PPM', '402 to 405'],
    ['VOC 103.5 PPB', '102 to 105'],
  ]);
  expect(notes).toEqual(['average of 4 readings']);
  expect(spokenText(point, MODEL, THAT_DAY)).toContain(
    '; CO2 403.5 PPM, 402 to 405; VOC 103.5 PPB, 102 to 105; average of 4',
  );
});

test('mentions the gap before a point', () => {
  const points = chartSeries(readingsWithPauses(15_000, 15_000, 3_600_000, 15_000), TEN_MINUTES);
  expect(points.map((point) => pointText(point, MODEL, THAT_DAY).notes.length)).toEqual([0, 0, 0, 1, 0]);
  expect(pointText(points[3] as (typeof points)[0], MODEL, THAT_DAY).notes[0]).toMatch(/ without readings, /);
});

test('never rounds a value across a threshold', () => {
  const [point] = chartSeries([reading(1, { co2: 999.999, voc: 400.001 })], TEN_MINUTES);
  if (!point) throw new Error('no point');
  expect(pointText(point, MODEL, THAT_DAY).values.map(({ value }) => value)).toEqual([
    'CO2 999.99 PPM',
    'VOC 400 PPB',
  ]);
});

test('names the unmeasured metric', () => {
  const [point] = chartSeries(
    readings(3, () => ({ co2: null })),
    TEN_MINUTES,
  );
  if (!point) throw new Error('no point');
  expect(spokenText(point, MODEL, THAT_DAY)).toMatch(/; CO2 not measured; VOC 101 PPB$/);
});

const NOW = new Date('2026-11-21T12:00:00');
const iso = (local: string) => new Date(local).toISOString();

function point(from: string, to: string, readings: number): ChartPoint {
  return {
    from: iso(from),
    to: iso(to),
    readings,
    co2: { average: 624.5, lowest: 600, highest: 649 },
    voc: { average: 100, lowest: 90.25, highest: 110 },
    gapBefore: { from: iso('2026-11-07T02:56:32'), to: iso('2026-11-14T21:25:32') },
  };
}

describe('the time of a point', () => {
  test.each([
    ['2026-11-21T09:05:03', '2026-11-21T09:05:03', 1, '9:5:3'],
    ['2026-11-20T09:05:03', '2026-11-20T09:05:03', 1, '20 Nov 9:5:3'],
    ['2026-11-21T09:05:03', '2026-11-21T10:05:03', 240, '9:5:3 – 10:5:3'],
    ['2026-11-20T09:05:03', '2026-11-20T10:05:03', 240, '20 Nov 9:5:3 – 10:5:3'],
    ['2026-11-13T00:55:32', '2026-11-20T23:18:32', 240, '13 Nov 0:55:32 – 20 Nov 23:18:32'],
    ['2026-11-20T23:50:00', '2026-11-21T00:10:00', 80, '20 Nov 23:50:0 – 21 Nov 0:10:0'],
    ['2025-11-21T09:05:03', '2025-11-21T09:05:03', 1, '21 Nov 2025 9:5:3'],
  ])('from %s to %s of %i readings shows the day unless it is today', (from, to, readings, text) => {
    expect(pointTime(point(from, to, readings), NOW)).toBe(text);
  });
});

test('shows the length and the days of a gap', () => {
  const { gapBefore } = point('2026-11-14T21:25:32', '2026-11-14T21:25:32', 1);
  if (!gapBefore) throw new Error('no gap');
  expect(gapLength(gapBefore)).toBe('7 d 18 h');
  expect(gapText(gapBefore, NOW)).toBe('7 d 18 h without readings, 7 Nov 2:56:32 to 14 Nov 21:25:32');
  const today = { from: iso('2026-11-21T02:00:00'), to: iso('2026-11-21T03:15:00') };
  expect(gapText(today, NOW)).toBe('1 h 15 min without readings, 2:0:0 to 3:15:0');
});

test('shows the length of a gap between steps, without times', () => {
  const night = { from: iso('2026-11-01T19:00:00'), to: iso('2026-11-02T07:00:00'), withinMs: 3_600_000 };
  expect(gapLength(night)).toBe('over 12 h');
  expect(gapText(night, NOW)).toBe('over 12 h without readings');
  const week = { from: iso('2026-11-01T01:00:00'), to: iso('2026-11-08T01:00:00'), withinMs: 86_400_000 };
  expect(gapText(week, NOW)).toBe('over 7 d without readings');
});

const drawnOf = (metrics: readonly Metric[]) =>
  chartModel(
    chartSeries(
      readings(3, () => ({ voc_index: 96, temperature: 20, humidity: 44 })),
      DEFAULT_RANGE,
    ),
    THRESHOLDS,
    metrics,
  );

test('shows zones for metrics with thresholds only, and the comfort band', () => {
  const humidity = metricOf('humidity');
  expect(describeZones(drawnOf([metricOf('co2'), humidity]))).toBe(
    'Zones: good below 1000 PPM CO2, poor from 2000 PPM CO2. Humidity is comfortable from 30 to 60 %.',
  );
  expect(describeZones(drawnOf([metricOf('temperature')]))).toBe('');
});

test('describes the limits of comfort of a sensor', () => {
  const withLimits = (temperature: ComfortLimits) => {
    const points = chartSeries(
      readings(3, () => ({ temperature: 20 })),
      DEFAULT_RANGE,
    );
    const model = chartModel(points, { ...THRESHOLDS, comfort: { temperature } }, [metricOf('temperature')]);
    return describeZones(model);
  };
  expect(withLimits({ poor_below: 16, from: 19, to: 25, poor_from: 28 })).toBe(
    'Temperature is good from 19 °C to 25 °C, poor below 16 °C and from 28 °C.',
  );
  expect(withLimits({ from: 19 })).toBe('Temperature is good from 19 °C.');
  expect(withLimits({ to: 25, poor_from: 28 })).toBe('Temperature is good below 25 °C, poor from 28 °C.');
});

test('shows an index without a unit', () => {
  const model = drawnOf([metricOf('voc_index')]);
  expect(describeChart(model, null)).toContain('VOC index between 96 and 96, newest point 96.');
  expect(metricLabel(metricOf('voc_index'), model)).toBe('VOC index');
  expect(metricLabel(metricOf('pm25'), model)).toBe('PM2.5 (not measured)');
});

test('shows temperatures in the unit of the viewer', () => {
  const [fahrenheit] = METRICS_IN_FAHRENHEIT.filter(({ field }) => field === 'temperature');
  const model = drawnOf(fahrenheit ? [fahrenheit] : []);
  expect(describeChart(model, null)).toContain('Temperature between 68 and 68 °F, newest point 68.');
  expect(pointText(model.points[0] as ChartPoint, model, AFTERWARDS).values[0]?.value).toBe(
    'Temperature 68 °F',
  );
});
