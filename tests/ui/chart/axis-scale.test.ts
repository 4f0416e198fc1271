import { describe, expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { RANGES } from '../../../app/readings/chart/range';
import {
  CO2,
  MAIN_METRICS,
  METRICS_IN_FAHRENHEIT,
  type Metric,
  type MetricField,
  metricOf,
  VOC,
} from '../../../app/readings/metric';
import type { Reading } from '../../../app/readings/reading';
import { type AxisScale, axisScale } from '../../../app/ui/chart/axis-scale';
import { readings, THRESHOLDS } from '../../support/readings/readings';

/** The axes of a chart of single readings. */
function scaleOf(values: Pick<Reading, 'co2' | 'voc'>[], thresholds = THRESHOLDS): AxisScale {
  const summaryOf = (value: number | null) =>
    value === null ? null : { average: value, lowest: value, highest: value };
  const points = values.map(({ co2, voc }) => ({ co2: summaryOf(co2), voc: summaryOf(voc) }));
  return axisScale(points, thresholds);
}

/** Returns the position of a value as a fraction of its axis. */
function heightOf({ axisOf }: AxisScale, metric: Metric, value: number): number {
  const { min, max } = axisOf(metric);
  return (value - min) / (max - min);
}

const SAMPLES: { co2: number; voc: number }[] = [
  { co2: 0, voc: 0 },
  { co2: 450, voc: 80 },
  { co2: 999.999, voc: 399 },
  { co2: 1000, voc: 100 },
  { co2: 2104, voc: 152 },
  { co2: 620, voc: 1156 },
  { co2: 2000, voc: 800 },
  { co2: 2999, voc: 599 },
  { co2: 40_000, voc: 60_000 },
  { co2: -123456789.12, voc: 1e21 },
  { co2: -5, voc: -1e-7 },
  { co2: 5e-324, voc: 1e-300 },
  { co2: Number.MAX_VALUE, voc: -Number.MAX_VALUE },
  { co2: 1, voc: Number.MAX_VALUE },
];

describe.each(SAMPLES)('with CO2 $co2 and VOC $voc', (values) => {
  const scale = scaleOf([values]);

  test('both axes have their thresholds, zero and ticks at the same heights', () => {
    const { co2, voc } = THRESHOLDS;
    for (const [left, right] of [
      [0, 0],
      [co2.good, voc.good],
      [co2.moderate, voc.moderate],
    ] as const) {
      expect(heightOf(scale, CO2, left)).toBeCloseTo(heightOf(scale, VOC, right), 9);
    }
    const heights = MAIN_METRICS.map((metric) =>
      scale.axisOf(metric).ticks.map((tick) => Number(heightOf(scale, metric, tick).toFixed(9))),
    );
    expect(heights[0]).toEqual(heights[1]);
    expect(scale.isShared).toBe(true);
  });

  test('each axis reaches beyond its good threshold and its highest value, with a tick at zero', () => {
    for (const field of ['co2', 'voc'] as const) {
      const { min, max, ticks } = scale.axisOf(field === 'co2' ? CO2 : VOC);
      expect(Number.isFinite(max - min)).toBe(true);
      expect(max).toBeGreaterThan(THRESHOLDS[field].good);
      // Larger numbers are drawn at the end of the axis.
      expect(max).toBeGreaterThan(Math.min(values[field], 1e290));
      expect(min).toBeLessThanOrEqual(Math.max(values[field], -1e290));
      expect(ticks.some((tick) => tick === 0)).toBe(true);
      expect([ticks[0], ticks.at(-1)]).toEqual([min, max]);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
  });
});

test('axes start at zero unless a value is negative', () => {
  expect(scaleOf([{ co2: 450, voc: 80 }]).axisOf(CO2).min).toBe(0);
  expect(scaleOf([{ co2: 450, voc: -3 }]).axisOf(CO2).min).toBeLessThan(0);
});

test.each([
  [
    'good air',
    { co2: 600, voc: 150 },
    [0, 250, 500, 750, 1000, 1250, 1500],
    [0, 100, 200, 300, 400, 500, 600],
  ],
  ['moderate air', { co2: 1900, voc: 150 }, [0, 500, 1000, 1500, 2000], [0, 200, 400, 600, 800]],
  [
    'random data',
    { co2: 2999, voc: 599 },
    [0, 500, 1000, 1500, 2000, 2500, 3000],
    [0, 200, 400, 600, 800, 1000, 1200],
  ],
  ['a peak of VOC', { co2: 600, voc: 3000 }, [0, 2000, 4000, 6000, 8000], [0, 800, 1600, 2400, 3200]],
])('%s has round ticks', (_, values, co2, voc) => {
  const { axisOf } = scaleOf([values]);
  expect(axisOf(CO2).ticks).toEqual(co2);
  expect(axisOf(VOC).ticks).toEqual(voc);
});

test.each([
  ['pm25', 9, [0, 5, 10, 15, 20, 25]],
  ['pm25', 31, [0, 10, 20, 30, 40]],
  ['pm25', 180, [0, 50, 100, 150, 200]],
  ['pm10', 20, [0, 20, 40, 60, 80]],
  ['voc_index', 100, [0, 50, 100, 150, 200, 250]],
  ['nox_index', 1, [0, 5, 10, 15, 20, 25, 30]],
  ['voc', 150, [0, 100, 200, 300, 400, 500, 600]],
] as const)('the axis of %s up to %d has round ticks', (field, highest, ticks) => {
  const metric = metricOf(field);
  expect(scaleOfRanges({ [field]: [1, highest] }, [metric]).axisOf(metric).ticks).toEqual(ticks);
});

test.each([
  ['co2', 'pm25', [0, 250, 500, 750, 1000, 1250, 1500], [0, 5, 10, 15, 20]],
  ['pm25', 'co2', [0, 5, 10, 15, 20, 25], [0, 250, 500, 750, 1000, 1250, 1500]],
  ['co2', 'pm10', [0, 250, 500, 750, 1000, 1250, 1500], [0, 10, 20, 30, 40, 50, 60]],
  ['co2', 'nox_index', [0, 250, 500, 750, 1000, 1250, 1500], [0, 5, 10, 15, 20, 25, 30]],
] as const)(
  'the axes of %s and %s have round ticks, and the good threshold at the same height',
  (one, other, ...ticks) => {
    const metrics = [metricOf(one), metricOf(other)] as const;
    const scale = scaleOfRanges({ [one]: [1, 8], [other]: [1, 8] }, metrics);
    expect(metrics.map((metric) => scale.axisOf(metric).ticks)).toEqual(ticks);
    const [height, otherHeight] = metrics.map((metric) => {
      const { min, max } = scale.axisOf(metric);
      return [min, ((THRESHOLDS[metric.field]?.good ?? 0) - min) / (max - min)];
    });
    expect(height?.[0]).toBe(0);
    expect(otherHeight?.[0]).toBe(0);
    expect(otherHeight?.[1]).toBeCloseTo(height?.[1] ?? 0, 9);
  },
);

test('thresholds that are no round numbers get round ticks', () => {
  const thresholds = { co2: { good: 937, moderate: 1400 }, voc: { good: 0.3, moderate: 0.7 } };
  const { axisOf } = scaleOf([{ co2: 600, voc: 0.1 }], thresholds);
  expect(axisOf(CO2).ticks).toEqual([0, 250, 500, 750, 1000, 1250, 1500]);
  expect(axisOf(VOC).ticks.map((tick) => Number(tick.toFixed(9)))).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
});

test('good air is drawn in the lower part', () => {
  expect(heightOf(scaleOf([{ co2: 450, voc: 80 }]), CO2, 450)).toBeLessThan(0.35);
});

test('the axes of an averaged chart reach its peaks', () => {
  const points = chartSeries(
    readings(44, (i) => ({ co2: 600, voc: i === 20 ? 1156 : 100 })),
    RANGES[0],
  );
  expect(axisScale(points, THRESHOLDS).axisOf(VOC).max).toBeGreaterThan(1156);
});

describe('with thresholds of different proportions', () => {
  const thresholds = { co2: { good: 800, moderate: 1200 }, voc: { good: 400, moderate: 900 } };

  test('the good thresholds are at the same height, the moderate ones are not', () => {
    const scale = scaleOf([{ co2: 700, voc: 300 }], thresholds);
    expect(heightOf(scale, CO2, 800)).toBeCloseTo(heightOf(scale, VOC, 400), 9);
    expect(scale.isShared).toBe(false);
  });

  test.each([
    ['VOC is moderate and CO2 good', { co2: 790, voc: 401 }, 'voc'],
    ['CO2 is poor and VOC moderate, though further above its threshold', { co2: 1201, voc: 890 }, 'co2'],
    ['both are good and VOC is closer to its threshold', { co2: 400, voc: 390 }, 'voc'],
    ['both are good and CO2 is closer to its threshold', { co2: 790, voc: 100 }, 'co2'],
  ])('draws the zones of the worse metric: %s', (_, values, field) => {
    expect(scaleOf([values], thresholds).zonesOf?.field).toBe(field);
  });
});

test('an unmeasured metric changes neither the axes nor the zones', () => {
  const thresholds = { co2: { good: 1000, moderate: 1500 }, voc: { good: 400, moderate: 800 } };
  const { axisOf, zonesOf, isShared } = scaleOf([{ co2: null, voc: 900 }], thresholds);
  expect(axisOf(VOC)).toEqual(scaleOf([{ co2: 0, voc: 900 }]).axisOf(VOC));
  expect(zonesOf?.field).toBe('voc');
  expect(isShared).toBe(true);
  expect(scaleOf([{ co2: 900, voc: null }], thresholds).zonesOf?.field).toBe('co2');
});

/** The axes of a chart of metrics with these lowest and highest values. */
function scaleOfRanges(ranges: Partial<Record<MetricField, [number, number]>>, metrics: readonly Metric[]) {
  const point = Object.fromEntries(
    Object.entries(ranges).map(([field, [lowest, highest]]) => [
      field,
      { lowest, highest, average: (lowest + highest) / 2 },
    ]),
  );
  return axisScale([point], THRESHOLDS, metrics);
}

test.each([
  ['temperature', [19, 24]],
  ['temperature', [21.4, 21.4]],
  ['temperature', [-8, 3]],
  ['pressure', [990, 1020]],
  ['humidity', [41, 46]],
  ['temperature', [-1e300, Number.MAX_VALUE]],
] as const)('the axis of a %s of %j fits its values', (field, [lowest, highest]) => {
  const metric = metricOf(field);
  const { min, max, ticks } = scaleOfRanges({ [field]: [lowest, highest] }, [metric]).axisOf(metric);
  expect(min).toBeLessThanOrEqual(Math.max(lowest, -1e290));
  // Leaves room for the dot of the highest value.
  expect(max).toBeGreaterThan(Math.min(highest, 1e290));
  expect([ticks.length, ticks[0], ticks.at(-1)]).toEqual([6, min, max]);
  const range = Math.max(highest, metric.band?.to ?? highest) - Math.min(lowest, metric.band?.from ?? lowest);
  if (range > 3 && range < 1e9) expect(max - min).toBeLessThan(3 * range);
});

test('an axis without thresholds has round ticks and includes the comfort band', () => {
  const ticksOf = (field: MetricField, range: [number, number]) =>
    scaleOfRanges({ [field]: range }, [metricOf(field)]).axisOf(metricOf(field)).ticks;
  expect(ticksOf('temperature', [19, 23.5])).toEqual([19, 20, 21, 22, 23, 24]);
  expect(ticksOf('pressure', [991, 1018])).toEqual([980, 990, 1000, 1010, 1020, 1030]);
  expect(ticksOf('humidity', [41, 46])).toEqual([20, 30, 40, 50, 60, 70]);
});

test('a temperature in °F has round ticks in °F', () => {
  const fahrenheit = METRICS_IN_FAHRENHEIT.find(({ field }) => field === 'temperature') as Metric;
  const { ticks } = scaleOfRanges({ temperature: [20, 22] }, [fahrenheit]).axisOf(fahrenheit);
  const shown = ticks.map((tick) => Number((tick * 1.8 + 32).toFixed(6)));
  expect(shown).toEqual([68, 69, 70, 71, 72, 73]);
});

test('a metric without thresholds gets as many ticks as the other, and no zones', () => {
  const temperature = metricOf('temperature');
  const scale = scaleOfRanges({ co2: [500, 700], temperature: [19, 24] }, [CO2, temperature]);
  expect(scale.axisOf(temperature).ticks).toHaveLength(scale.axisOf(CO2).ticks.length);
  expect(scale.zonesOf).toBe(CO2);
  expect(scale.isShared).toBe(false);
});

test.each([
  ['comfortable beside better CO2', { co2: 500, temperature: 21 }, 'co2'],
  ['too cold beside good CO2', { co2: 500, temperature: 17 }, 'temperature'],
  ['too cold beside poor CO2', { co2: 2500, temperature: 17 }, 'co2'],
  ['much too warm beside moderate CO2', { co2: 1500, temperature: 29 }, 'temperature'],
  ['comfortable alone', { temperature: 21 }, 'temperature'],
])('zones are of the worse metric, also with own limits of comfort: %s', (_, values, field) => {
  const temperature = metricOf('temperature');
  const thresholds = {
    ...THRESHOLDS,
    comfort: { temperature: { poor_below: 16, from: 19, to: 25, poor_from: 28 } },
  };
  const point = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { average: value, lowest: value, highest: value }]),
  );
  const scale = axisScale([point], thresholds, 'co2' in values ? [CO2, temperature] : [temperature]);
  expect(scale.zonesOf?.field).toBe(field);
  expect(scale.isShared).toBe(false);
  // All limits are in the chart.
  const { min, max } = scale.axisOf(temperature);
  expect(min).toBeLessThanOrEqual(16);
  expect(max).toBeGreaterThanOrEqual(28);
});

test('any two metrics with proportional thresholds share the zones', () => {
  const metrics = [metricOf('pm25'), metricOf('pm10')];
  const thresholds = { ...THRESHOLDS, pm10: { good: 45, moderate: 105 } };
  const points = [
    { pm25: { lowest: 5, average: 8, highest: 9 }, pm10: { lowest: 9, average: 12, highest: 14 } },
  ];
  expect(axisScale(points, thresholds, metrics).isShared).toBe(true);
  expect(axisScale(points, THRESHOLDS, metrics).isShared).toBe(false);
});

test('metrics without thresholds have no zones', () => {
  const metrics = [metricOf('temperature'), metricOf('humidity')];
  const scale = scaleOfRanges({ temperature: [19, 24], humidity: [40, 50] }, metrics);
  expect([scale.zonesOf, scale.isShared]).toEqual([null, true]);
});
