import { describe, expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { RANGES } from '../../../app/readings/chart/range';
import { CO2, MAIN_METRICS, type Metric, VOC } from '../../../app/readings/metric';
import type { Reading } from '../../../app/readings/reading';
import { type AxisScale, axisScale } from '../../../app/ui/chart/axis-scale';
import { readings, THRESHOLDS } from '../../support/readings/readings';

/** The axes of a chart of single readings. */
function scaleOf(values: Pick<Reading, 'co2' | 'voc'>[], thresholds = THRESHOLDS): AxisScale {
  const used = readings(values.length, (i) => values[i] ?? {});
  return axisScale(chartSeries(used, RANGES[0]), thresholds);
}

/** Returns the height of a value as a share of its axis. */
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

  test('the limits lie at the same heights, and so do zero and the ticks', () => {
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

  test('each axis reaches above its first limit and its highest value, with a tick at zero', () => {
    for (const field of ['co2', 'voc'] as const) {
      const { min, max, ticks } = scale.axisOf(field === 'co2' ? CO2 : VOC);
      expect(Number.isFinite(max - min)).toBe(true);
      expect(max).toBeGreaterThan(THRESHOLDS[field].good);
      // The largest numbers are drawn at the largest that can be.
      expect(max).toBeGreaterThan(Math.min(values[field], 1e290));
      expect(min).toBeLessThanOrEqual(Math.max(values[field], -1e290));
      expect(ticks.some((tick) => tick === 0)).toBe(true);
      expect([ticks[0], ticks.at(-1)]).toEqual([min, max]);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
  });
});

test('axes start at zero unless a value is below', () => {
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

test('good air looks low', () => {
  expect(heightOf(scaleOf([{ co2: 450, voc: 80 }]), CO2, 450)).toBeLessThan(0.35);
});

test('the peaks of an averaged chart are on its axes, not only its averages', () => {
  const points = chartSeries(
    readings(44, (i) => ({ co2: 600, voc: i === 20 ? 1156 : 100 })),
    RANGES[0],
  );
  expect(axisScale(points, THRESHOLDS).axisOf(VOC).max).toBeGreaterThan(1156);
});

describe('with limits that are not in proportion', () => {
  const thresholds = { co2: { good: 800, moderate: 1200 }, voc: { good: 400, moderate: 900 } };

  test('the good limits lie at the same height, and the moderate ones do not', () => {
    const scale = scaleOf([{ co2: 700, voc: 300 }], thresholds);
    expect(heightOf(scale, CO2, 800)).toBeCloseTo(heightOf(scale, VOC, 400), 9);
    expect(scale.isShared).toBe(false);
  });

  test.each([
    ['VOC is moderate and CO2 good', { co2: 790, voc: 401 }, 'voc'],
    ['CO2 is poor and VOC moderate, though higher above its limit', { co2: 1201, voc: 890 }, 'co2'],
    ['both are good and VOC is closer to its limit', { co2: 400, voc: 390 }, 'voc'],
    ['both are good and CO2 is closer to its limit', { co2: 790, voc: 100 }, 'co2'],
  ])('the zones are those of the worse metric: %s', (_, values, field) => {
    expect(scaleOf([values], thresholds).zonesOf.field).toBe(field);
  });
});

test("a metric that isn't measured moves neither the axes nor the zones", () => {
  const thresholds = { co2: { good: 1000, moderate: 1500 }, voc: { good: 400, moderate: 800 } };
  const { axisOf, zonesOf, isShared } = scaleOf([{ co2: null, voc: 900 }], thresholds);
  expect(axisOf(VOC)).toEqual(scaleOf([{ co2: 0, voc: 900 }]).axisOf(VOC));
  expect(zonesOf.field).toBe('voc');
  expect(isShared).toBe(true);
  expect(scaleOf([{ co2: 900, voc: null }], thresholds).zonesOf.field).toBe('co2');
});
