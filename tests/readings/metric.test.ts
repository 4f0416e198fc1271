import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  CO2,
  METRICS,
  mainMetrics,
  measuredMetrics,
  metricOf,
  shownMetrics,
  VOC,
} from '../../app/readings/metric';

test('CO2 and VOC come first', () => {
  expect(METRICS.map(({ name }) => name).slice(0, 2)).toEqual(['CO2', 'VOC']);
});

test('the names of all metrics are unique', () => {
  const names = METRICS.flatMap(({ field, aliases }) => [field.replaceAll('_', ''), ...aliases]);
  expect(names.filter((name, i) => names.indexOf(name) !== i || !/^[a-z0-9]+$/.test(name))).toEqual([]);
});

test('CO2 is in PPM and VOC in PPB', () => {
  expect(CO2).toMatchObject({ field: 'co2', unit: 'PPM' });
  expect(VOC).toMatchObject({ field: 'voc', unit: 'PPB' });
});

test('the document lists the range of measurements of each metric', () => {
  const document = readFileSync('docs/history.md', 'utf8');
  for (const { name, plausible, unit } of METRICS) {
    const row = new RegExp(
      `^\\| (.*, )?${name}(, .*)? \\| ${plausible.from} to ${plausible.to} ?${unit} \\|$`,
      'm',
    );
    expect(document, name).toMatch(row);
  }
});

test('a metric is measured if any reading contains it, even as zero', () => {
  expect(measuredMetrics([{ co2: null, voc: 0 }])).toEqual([VOC]);
  expect(
    measuredMetrics([
      { co2: null, voc: 1 },
      { co2: 2, voc: null },
    ]),
  ).toEqual([CO2, VOC]);
  expect(measuredMetrics([])).toEqual([]);
});

test('pages show CO2 and VOC first, or the first two metrics of a sensor without them', () => {
  const [pm25, temperature, pressure] = (['pm25', 'temperature', 'pressure'] as const).map(metricOf);
  const measured = [pm25, temperature, pressure].flatMap((metric) => metric ?? []);
  expect(mainMetrics([VOC, ...measured])).toEqual([VOC]);
  expect(mainMetrics(measured)).toEqual([pm25, temperature]);
});

test('tables show CO2 and VOC, measured or not, unless the sensor has other metrics', () => {
  expect(shownMetrics([])).toEqual([CO2, VOC]);
  expect(shownMetrics([{ co2: 500, voc: null }])).toEqual([CO2, VOC]);
  expect(shownMetrics([{ co2: 500, voc: null, temperature: 21 }]).map(({ field }) => field)).toEqual([
    'co2',
    'temperature',
  ]);
});
