import { expect, test } from 'vitest';
import {
  fitValue,
  formatAverage,
  formatBeside,
  formatShort,
  formatValue,
  formatWithUnit,
  nameWithUnit,
  readsFahrenheit,
  shownValue,
  storedValue,
} from '../../../app/readings/format/format-value';
import { levelOf } from '../../../app/readings/level/level';
import { METRICS_IN_FAHRENHEIT, metricOf, type Threshold } from '../../../app/readings/metric';
import { formatTick } from '../../../app/ui/chart/axis-scale';
import { seededRandom } from '../../../scripts/seed/seeded-random.js';
import { THRESHOLDS } from '../../support/readings/readings';

const SEED = 20260102;

test.each([
  [415, '415'],
  [0, '0'],
  [-0, '0'],
  [-0.001, '0'],
  [-12, '-12'],
  [415.5, '415.5'],
  [415.456, '415.46'],
  [0.005, '0.01'],
  [1.005, '1.01'],
  [8.345, '8.35'],
  [-0.005, '-0.01'],
  [-1.005, '-1.01'],
  [1.5e-7, '0'],
  [1234567.891, '1234567.89'],
  [1e21, '1e+21'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
])('%d is shown as %s', (value, shown) => {
  expect(formatValue(value)).toBe(shown);
});

test.each([
  [999.999, 1000, '999.99'],
  [999.99, 1000, '999.99'],
  [1000, 1000, '1000'],
  [1000.001, 1000, '1000'],
  [1999.9999, 1000, '1999.99'],
  [399.996, 400, '399.99'],
  [0.504999, 0.505, '0.5'],
  [0.505001, 0.505, '0.51'],
  [0.0005, 0.001, '0'],
  [0.0012, 0.001, '0.01'],
  [-0.001, 0.001, '0'],
])('%d near a threshold of %d is shown as %s, on its own side', (value, good, shown) => {
  expect(formatValue(value, { good, moderate: 2 * Math.max(good, 10) })).toBe(shown);
});

test.each([
  ['pm25', 15.04, '15.04'],
  ['pm25', 15, '15'],
  ['pm25', 14.96, '14.9'],
  ['pm25', 34.996, '34.9'],
  ['pm25', 35.0004, '35.0004'],
  ['pm25', 21.26, '21.3'],
  ['co2', 1000.4, '1000.4'],
  ['co2', 1000.001, '1000.001'],
  ['voc_index', 150.2, '150.2'],
] as const)('%s of %d beside words is %s', (field, value, text) => {
  const threshold = THRESHOLDS[field] as Threshold;
  expect(formatBeside(value, threshold, metricOf(field))).toBe(text);
});

test('an average below 100 is no threshold unless it is exactly that', () => {
  const threshold = THRESHOLDS.pm25 as Threshold;
  expect(formatAverage(15.04, threshold, undefined, metricOf('pm25'))).toBe('15.04');
});

test.each([
  [29.96, '29.9'],
  [30, '30'],
  [59.96, '59.9'],
  [60.04, '60'],
  [44.96, '45'],
])('humidity of %d is shown as %s, on its side of the comfortable band', (value, shown) => {
  expect(formatValue(value, undefined, metricOf('humidity'))).toBe(shown);
});

test.each([
  [-273.15, '-273.2'],
  [273.15, '273.2'],
  [1013.25, '1013.3'],
  [21.449, '21.4'],
  [-0.04, '0'],
])('%d is shown with one decimal as %s, a half away from zero', (value, shown) => {
  expect(formatValue(value, undefined, metricOf('pressure'))).toBe(shown);
});

test('a converted value is rounded by its decimals too', () => {
  const fahrenheit = METRICS_IN_FAHRENHEIT.find(({ field }) => field === 'temperature');
  expect(formatValue(20.25, undefined, fahrenheit)).toBe('68.5');
});

test('a value between two close thresholds is shown in full', () => {
  const threshold = { good: 1000.001, moderate: 1000.002 };
  expect(formatValue(1000.0015, threshold)).toBe('1000.0015');
  expect(formatValue(1000.0005, threshold)).toBe('1000');
  expect(formatValue(1000.0025, threshold)).toBe('1000.01');
});

test(`a shown value has the level of the exact value (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let i = 0; i < 20_000; i++) {
    const good = Number((10 ** (6 * random() - 2)).toFixed(Math.floor(7 * random()))) || 1;
    const threshold = { good, moderate: good + 10 ** (6 * random() - 5) };
    const limit = random() < 0.5 ? threshold.good : threshold.moderate;
    const value = limit + (random() - 0.5) * 10 ** (-8 * random());
    const shown = formatValue(value, threshold);
    expect([shown, levelOf(Number(shown), threshold)]).toEqual([shown, levelOf(value, threshold)]);
  }
});

test.each([
  [861.4, '861'],
  [99.49, '99.49'],
  [-861.6, '-862'],
  [999.6, '999.6'],
  [999.4, '999'],
  [1000.2, '1000'],
  [1999.999, '1999.99'],
])('an average of %d is shown as %s', (average, shown) => {
  expect(formatAverage(average, { good: 1000, moderate: 2000 })).toBe(shown);
});

test('an average is never shown outside its lowest and highest value', () => {
  const threshold = { good: 1000, moderate: 2000 };
  expect(formatAverage(420.4, threshold, { lowest: 420.4, highest: 420.4 })).toBe('420.4');
  expect(formatAverage(420.6, threshold, { lowest: 420.5, highest: 420.7 })).toBe('420.6');
  expect(formatAverage(420.6, threshold, { lowest: 400, highest: 421 })).toBe('421');
});

test.each([
  [867176.24, '867.2K'],
  [999999, '1M'],
  [1234567.89, '1.235M'],
  [-123456789.12, '-123.5M'],
  [1e9, '1B'],
  [2.5e12, '2.5T'],
  [1e15, '1e15'],
  [-1.2346e20, '-1.235e20'],
  [1.7976931348623157e308, '1.798e308'],
  [0.00001234, '1.234e-5'],
])('%d is abbreviated to %s', (value, short) => {
  expect(formatShort(value)).toBe(short);
});

test.each([
  [0, '0'],
  [-250, '-250'],
  [0.1 + 0.2, '0.3'],
  [50_000, '50000'],
  [100_000, '100K'],
  [-1_500_000, '-1.5M'],
  [4e20, '4e20'],
])('the axis tick %d is shown as %s', (tick, label) => {
  expect(formatTick(tick)).toBe(label);
});

test('abbreviates a value only if it has more characters than fit', () => {
  expect(fitValue('98765.4', 7)).toBe('98765.4');
  expect(fitValue('1234567.89', 7)).toBe('1.235M');
});

test.each([
  ['pm25', 14.96, '15 µg/m³'],
  ['temperature', 21.449, '21.4 °C'],
  ['voc_index', 96.6, '97'],
  ['pressure', 1013.25, '1013.3 hPa'],
] as const)(
  '%s has the decimals and unit of its metric, and an index has no unit: %d is %s',
  (field, value, shown) => {
    expect(formatWithUnit(metricOf(field), value)).toBe(shown);
  },
);

test('an index has neither a unit nor empty parentheses', () => {
  expect(nameWithUnit(metricOf('voc_index'))).toBe('VOC index');
  expect(nameWithUnit(metricOf('pm25'))).toBe('PM2.5 (µg/m³)');
});

test('a metric with one decimal stays on its side of a threshold', () => {
  expect(formatValue(14.96, { good: 15, moderate: 35 }, metricOf('pm25'))).toBe('14.9');
});

test.each([
  ['en-US', true],
  ['en-US,en;q=0.9', true],
  ['es-PR, en-US;q=0.5', false],
  ['en-KY;q=1', true],
  ['en', false],
  ['de-DE,en-US;q=0.7', false],
  ['*', false],
  ['', false],
  [null, false],
])('for the languages "%s", temperatures are in °F: %s', (languages, isFahrenheit) => {
  expect(readsFahrenheit(languages)).toBe(isFahrenheit);
});

test('only temperatures are shown in °F', () => {
  const others = METRICS_IN_FAHRENHEIT.filter(({ field }) => field !== 'temperature');
  expect(others.every(({ shown }) => shown === undefined)).toBe(true);
  const fahrenheit = METRICS_IN_FAHRENHEIT.find(({ field }) => field === 'temperature');
  if (!fahrenheit) throw new Error('no temperature');
  expect([-40, 0, 21.4, 100].map((celsius) => formatWithUnit(fahrenheit, celsius))).toEqual([
    '-40 °F',
    '32 °F',
    '70.5 °F',
    '212 °F',
  ]);
  expect(formatAverage(40.1, undefined, { lowest: 39, highest: 41 }, fahrenheit)).toBe('104');
  expect(storedValue(fahrenheit, shownValue(fahrenheit, 21.4))).toBeCloseTo(21.4, 9);
});
