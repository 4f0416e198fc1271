import { expect, test } from 'vitest';
import { doubtfulIn, firstDoubtful } from '../../app/ingest/doubtful-values.server';
import type { MetricField } from '../../app/readings/metric';

const reading = (values: { [F in MetricField]?: number }, sensor?: string) => ({
  ...{ co2: null, voc: null, ...values },
  ...(sensor !== undefined && { sensor }),
});

test.each([
  [{ co2: 65535, voc: 120 }, ['co2']],
  [{ co2: -1, voc: -0.5 }, ['co2', 'voc']],
  [{ temperature: -273.16 }, ['temperature']],
  [{ temperature: -127 }, ['temperature']],
  [{ temperature: 85 }, ['temperature']],
  [{ humidity: -1 }, ['humidity']],
  [{ humidity: 100.1 }, ['humidity']],
  [{ pm25: -0.1, pm10: 6553.5, pressure: -1 }, ['pm25', 'pm10', 'pressure']],
  // Low values of a device that warms up, and saturated air.
  [{ co2: 0, voc: 0, voc_index: 0, pressure: 0 }, undefined],
  [{ co2: 12, temperature: -40, humidity: 100 }, undefined],
])('of %j of a named sensor, %j are doubtful', (values, fields) => {
  expect(doubtfulIn(reading(values, 'Kitchen'))).toEqual(fields);
});

test('a counter may be below zero: in a browser, and of the unnamed sensor', () => {
  const fromPage = (name: string) => (name === 'origin' ? 'http://localhost:3000' : null);
  const below = { co2: -3, voc: -3, pm25: -3 };
  expect(doubtfulIn(reading(below, 'Kitchen'), fromPage)).toEqual(['pm25']);
  expect(doubtfulIn(reading(below))).toEqual(['pm25']);
  expect(doubtfulIn(reading({ co2: 65535 }))).toEqual(['co2']);
});

test('the log has a line for each sensor and metric, and the next one only after the value was right', () => {
  const log = (values: { [F in MetricField]?: number }, sensor = 'Log') => {
    const sent = reading(values, sensor);
    return firstDoubtful(sent, doubtfulIn(sent));
  };
  const line = (values: string, sensor = 'Log') =>
    `Stored ${values} of "${sensor}", which no working sensor reports: check it. Logged once until it recovers.`;
  expect(log({ co2: 65535, temperature: -127 })).toBe(line('co2 65535 and temperature -127'));
  expect(log({ co2: 65535, temperature: -127 })).toBeUndefined();
  expect(log({ co2: 65535, pm25: -1 })).toBe(line('pm25 -1'));
  expect(log({ co2: 65535 }, 'Other')).toBe(line('co2 65535', 'Other'));
  // A reading without the metric doesn't say that it is right.
  expect(log({ voc: 1 })).toBeUndefined();
  expect(log({ co2: 65535 })).toBeUndefined();
  expect(log({ co2: 700 })).toBeUndefined();
  expect(log({ co2: 65535 })).toBe(line('co2 65535'));
});
