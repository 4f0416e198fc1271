import { expect, test } from 'vitest';
import { CO2, type MetricField, metricOf, VOC } from '../../../app/readings/metric';
import { drawnMetrics, withChosen } from '../../../app/ui/chart/drawn-metrics';

const OFFICE = (['co2', 'temperature', 'humidity'] as const).map(metricOf);
const ALL = (['co2', 'voc', 'pm25', 'temperature'] as const).map(metricOf);
const DUST = (['pm25', 'pm10', 'pressure'] as const).map(metricOf);
const drawn = (search: string, measured = ALL) => drawnMetrics(search, measured).map(({ field }) => field);

test.each([
  ['?metrics=pm25,temperature', ['pm25', 'temperature']],
  ['?metrics=temperature,pm25', ['temperature', 'pm25']],
  ['?metrics=pm25', ['pm25']],
  ['?metrics=voc,pm25,co2', ['voc', 'pm25']],
  ['?metrics=pm25,pm25', ['pm25']],
  ['?metrics=so2,pm25', ['pm25']],
  ['?metrics=so2', ['co2', 'voc']],
  ['?metrics=', ['co2', 'voc']],
  ['?metrics=constructor', ['co2', 'voc']],
  ['', ['co2', 'voc']],
])('the address %s selects %j', (search, fields) => {
  expect(drawn(search)).toEqual(fields);
});

test('ignores a metric that the sensor lacks, like an unknown one', () => {
  expect(drawn('?metrics=pm25,temperature', OFFICE)).toEqual(['temperature']);
  expect(drawn('?metrics=pm25', OFFICE)).toEqual(['co2']);
});

test('draws CO2 and VOC, or the first two metrics of a sensor without them', () => {
  expect(drawnMetrics('', [])).toEqual([CO2, VOC]);
  expect(drawnMetrics('', [CO2])).toEqual([CO2, VOC]);
  expect(drawn('', DUST)).toEqual(['pm25', 'pm10']);
});

test.each<[string, MetricField, string]>([
  ['', 'pm25', '?metrics=voc,pm25'],
  ['?metrics=voc,pm25', 'temperature', '?metrics=pm25,temperature'],
  ['?range=1HR&metrics=pm25,temperature', 'temperature', '?range=1HR&metrics=pm25'],
  ['?metrics=pm25', 'pm25', '?metrics=pm25'],
  ['?sensor=Bed:room&metrics=co2', 'voc', '?sensor=Bed:room'],
  ['?wall&metrics=co2', 'voc', '?wall='],
  ['?metrics=co2', 'voc', ''],
])('at the address %j, choosing %s leads to %j', (search, field, next) => {
  expect(withChosen(search, field, ALL)).toBe(next);
});
