import { expect, test } from 'vitest';
import { judgeValue, levelOf, levelRanges, severityOf } from '../../../app/readings/level/level';
import { type ComfortLimits, metricOf } from '../../../app/readings/metric';
import { THRESHOLDS } from '../../support/readings/readings';

test.each([
  [-1, 'good'],
  [0, 'good'],
  [999, 'good'],
  [999.99, 'good'],
  [1000, 'moderate'],
  [1000.01, 'moderate'],
  [1999.99, 'moderate'],
  [2000, 'poor'],
  [2000.01, 'poor'],
  [1e308, 'poor'],
])('%d PPM of CO2 is %s', (value, level) => {
  expect(levelOf(value, THRESHOLDS.co2)).toBe(level);
});

test.each([
  [-1, 'good'],
  [0, 'good'],
  [399, 'good'],
  [399.99, 'good'],
  [400, 'moderate'],
  [400.01, 'moderate'],
  [799, 'moderate'],
  [799.99, 'moderate'],
  [800, 'poor'],
  [801, 'poor'],
])('%d PPB of VOC is %s', (value, level) => {
  expect(levelOf(value, THRESHOLDS.voc)).toBe(level);
});

test.each([
  ['hcho', 39.9, 40, 79.9, 80],
  ['co', 3.49, 3.5, 8.9, 9],
  ['no2', 12.9, 13, 99.9, 100],
  ['o3', 50.9, 51, 69.9, 70],
  ['radon', 99.9, 100, 299, 300],
] as const)(
  '%s is good to %d, moderate from %d to %d, and poor from %d on',
  (field, good, from, to, poor) => {
    const levels = [good, from, to, poor].map(
      (value) => judgeValue(value, metricOf(field), THRESHOLDS)?.level,
    );
    expect(levels).toEqual(['good', 'moderate', 'moderate', 'poor']);
  },
);

test.each([
  ['hcho', 'moderate', 100, 30.03],
  ['co', 'good', 4000, 28.01],
  ['no2', 'good', 25, 46.01],
  ['o3', 'good', 100, 48],
] as const)(
  "the WHO's guideline for %s is the %s threshold: %d µg/m³",
  (field, name, guideline, gramsPerMole) => {
    const { unit, threshold } = metricOf(field);
    // At 25 °C and 1013 hPa, a mole of air has 24.45 l.
    const ppb = (guideline * 24.45) / gramsPerMole;
    const exact = unit === 'PPM' ? ppb / 1000 : ppb;
    expect(Math.abs((threshold?.[name] ?? 0) / exact - 1)).toBeLessThan(0.03);
  },
);

test('metrics without a guideline for a reading have no levels', () => {
  for (const field of ['pm1', 'pm4', 'noise', 'light'] as const)
    expect(judgeValue(1e6, metricOf(field), THRESHOLDS)).toBe(null);
});

test.each([
  [-100, -0.1],
  [0, 0],
  [500, 0.5],
  [1000, 1],
  [2000, 1.5],
  [3000, 2],
  [4000, 2.5],
])('with thresholds of 1000 and 3000, %d has a severity of %d', (value, severity) => {
  expect(severityOf(value, { good: 1000, moderate: 3000 })).toBe(severity);
});

const LIMITS = { poor_below: 16, from: 19, to: 25, poor_from: 28 };
const withLimits = (temperature: ComfortLimits) => ({ ...THRESHOLDS, comfort: { temperature } });

test.each([
  [15.9, 'poor', 'much too cold'],
  [16, 'moderate', 'too cold'],
  [19, 'good', 'comfortable'],
  [24.9, 'good', 'comfortable'],
  [25, 'moderate', 'too warm'],
  [28, 'poor', 'much too warm'],
])('with own limits of comfort, %d °C is %s: %s', (value, level, words) => {
  expect(judgeValue(value, metricOf('temperature'), withLimits(LIMITS))).toMatchObject({ level, words });
});

test('a value of a metric without levels is not judged', () => {
  expect(judgeValue(15, metricOf('temperature'), THRESHOLDS)).toBeNull();
  expect(judgeValue(1200, metricOf('co2'), THRESHOLDS)).toMatchObject({
    level: 'moderate',
    words: 'moderate',
  });
});

test('the levels of a metric cover all values, in ascending order', () => {
  const rangesOf = (...[metric, thresholds]: Parameters<typeof levelRanges>) =>
    levelRanges(metric, thresholds).map(({ words, from, to }) => [words, from, to]);
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  expect(rangesOf(metricOf('co2'), THRESHOLDS)).toEqual([
    ['good', least, 1000],
    ['moderate', 1000, 2000],
    ['poor', 2000, most],
  ]);
  const temperature = metricOf('temperature');
  expect(rangesOf(temperature, withLimits(LIMITS))).toEqual([
    ['much too cold', least, 16],
    ['too cold', 16, 19],
    ['good', 19, 25],
    ['too warm', 25, 28],
    ['much too warm', 28, most],
  ]);
  expect(rangesOf(temperature, withLimits({ from: 19 }))).toEqual([
    ['too cold', least, 19],
    ['good', 19, most],
  ]);
  expect(rangesOf(temperature, THRESHOLDS)).toEqual([]);
});
