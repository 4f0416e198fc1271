import { expect, test } from 'vitest';
import { comparedMetric, measuredBy, sharedThresholds } from '../../../app/readings/history/compared-room';
import { CO2, type MetricField } from '../../../app/readings/metric';
import { reading, sensorWith, THRESHOLDS } from '../../support/readings/readings';

test.each<[search: string, measured: MetricField[][], expected: string]>([
  ['', [['co2', 'voc'], ['co2']], 'co2'],
  ['?metrics=voc', [['co2', 'voc'], ['co2']], 'voc'],
  ['?metrics=voc,co2', [['co2', 'voc'], ['co2']], 'voc'],
  ['?metrics=so2', [['co2', 'voc'], ['co2']], 'co2'],
  ['?metrics=pm25', [['co2', 'voc'], ['co2']], 'co2'],
  [
    '',
    [
      ['co2', 'temperature'],
      ['temperature', 'humidity'],
    ],
    'temperature',
  ],
  ['', [['co2'], ['temperature']], 'co2'],
  ['', [['humidity'], ['temperature']], 'temperature'],
  ['', [], 'co2'],
])('%j of rooms with %j draws %s', (search, measured, expected) => {
  expect(comparedMetric(search, measured).field).toBe(expected);
});

test('a room measures what its newest reading and its history have', () => {
  const [summary] = sensorWith([reading(1, { voc: null, temperature: 20 })]);
  expect(measuredBy(summary ?? null, [])).toEqual(['co2', 'temperature']);
  expect(measuredBy(null, [])).toEqual([]);
});

test('thresholds that all rooms share are drawn, and otherwise those of the server', () => {
  const [summary] = sensorWith([reading(1)]);
  if (!summary) throw new Error('no sensor');
  const own = { summary: { ...summary, thresholds: { co2: { good: 800, moderate: 1400 } } } };
  const usual = { summary };
  const drawnOf = (...rooms: (typeof own | typeof usual)[]) => {
    const { thresholds, areMixed } = sharedThresholds(rooms, CO2, THRESHOLDS);
    return [thresholds.co2.good, areMixed];
  };
  expect(drawnOf(own, own)).toEqual([800, false]);
  expect(drawnOf(own, usual)).toEqual([1000, true]);
  expect(drawnOf(usual, usual)).toEqual([1000, false]);
});
