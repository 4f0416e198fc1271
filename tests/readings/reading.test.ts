import { expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import { randomReading } from '../../app/readings/random-reading';
import { compareReadings } from '../../app/readings/reading';
import { reading } from '../support/readings';

test('CO2 comes before VOC', () => {
  expect(METRICS.map(({ name }) => name)).toEqual(['CO2', 'VOC']);
});

test.each([
  [0, { co2: 0, voc: 0 }],
  [0.5, { co2: 1500, voc: 300 }],
  [0.999, { co2: 2997, voc: 599 }],
  [1 - Number.EPSILON / 2, { co2: 2999, voc: 599 }],
])('the random number %d makes a reading of %o', (given, expected) => {
  expect(randomReading(() => given)).toEqual(expected);
});

test('the two values of a random reading are drawn separately, CO2 first', () => {
  const drawn = [0.25, 0.75];
  expect(randomReading(() => drawn.shift() ?? 0)).toEqual({ co2: 750, voc: 450 });
});

test('random readings are whole numbers within their limits by default', () => {
  for (let i = 0; i < 2000; i++) {
    const { co2, voc } = randomReading();
    expect(Number.isInteger(co2) && co2 >= 0 && co2 <= 2999).toBe(true);
    expect(Number.isInteger(voc) && voc >= 0 && voc <= 599).toBe(true);
  }
});

test('readings are ordered by time, then by id', () => {
  const at = (id: number, created_at: string) => reading(id, { created_at });
  const oldest = at(9, '2025-12-31T23:59:59.999Z');
  const first = at(3, '2026-01-01T00:00:00.000Z');
  const second = at(10, '2026-01-01T00:00:00.000Z');
  const newest = at(1, '2026-01-01T00:00:00.001Z');
  expect([newest, second, first, oldest].sort(compareReadings)).toEqual([oldest, first, second, newest]);
  expect(compareReadings(first, { ...first })).toBe(0);
});
