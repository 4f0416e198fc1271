import { describe, expect, test } from 'vitest';
import type { Reading } from '../../../app/readings/reading';
import { trendOf } from '../../../app/ui/tiles/trend';
import { seededRandom } from '../../../scripts/seed/seeded-random.js';
import { reading, START } from '../../support/readings/readings';

/** Returns readings every `everyMs` with these values of CO2. */
function readingsOf(values: readonly number[], everyMs = 15_000): Reading[] {
  return values.map((co2, i) =>
    reading(i + 1, { co2, created_at: new Date(START + i * everyMs).toISOString() }),
  );
}

const values = (count: number, value: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => value(i));
const trend = (co2: readonly number[], everyMs?: number) => trendOf(readingsOf(co2, everyMs), 'co2', 1000);

test.each([
  ['no readings', []],
  ['one reading', [500]],
  ['equal readings', values(40, () => 500)],
  ['a change of less than 2 % of the good limit', values(40, (i) => 500 + 0.5 * i)],
  ['two readings that differ by less than 5 %', [500, 549]],
  ['one outlier', values(40, (i) => (i === 20 ? 2500 : 500))],
  ['one outlier at the end', values(40, (i) => (i === 39 ? 2500 : 500))],
  ['a peak in the middle', values(41, (i) => 1000 - 10 * Math.abs(20 - i))],
  ['values whose squares overflow', [1e308, -1e308, 1e308]],
])('%s: steady', (_, co2) => {
  expect(trend(co2)).toBe('steady');
});

test.each([
  [1000, 600],
  [15_000, 40],
  [60_000, 10],
  [150_000, 5],
  [290_000, 3],
  [300_000, 3],
])('with a reading every %d ms, %d readings show a rise and a fall', (everyMs, count) => {
  const before = values(5, () => 600);
  const step = 120 / count;
  expect(trend([...before, ...values(count, (i) => 600 + step * i)], everyMs)).toBe('rising');
  expect(trend([...before, ...values(count, (i) => 600 - step * i)], everyMs)).toBe('falling');
});

test('only the last 10 minutes count', () => {
  const co2 = [...values(100, (i) => 500 + 20 * i), ...values(41, (i) => 2500 - 10 * i)];
  expect(trend(co2)).toBe('falling');
  expect(trend([...values(100, (i) => 500 + 20 * i), ...values(41, () => 2500)])).toBe('steady');
});

test('readings before a silence do not count', () => {
  const before = readingsOf(values(20, () => 500));
  const after = before.map((one) => ({
    ...one,
    id: one.id + 20,
    co2: 900,
    created_at: new Date(Date.parse(one.created_at) + 400_000).toISOString(),
  }));
  expect(trendOf([...before, ...after], 'co2', 1000)).toBe('steady');
});

test('the trend is that of the named metric', () => {
  const readings = readingsOf(values(40, (i) => 500 + 5 * i)).map((one, i) => ({ ...one, voc: 300 - 5 * i }));
  expect(trendOf(readings, 'co2', 1000)).toBe('rising');
  expect(trendOf(readings, 'voc', 400)).toBe('falling');
});

const SEED = 20260102;

describe(`noise of 30 PPM (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const noise = () => 30 * (random() + random() + random() + random() - 2) * Math.sqrt(3);
  const count = (wanted: string, slope: number) =>
    values(500, () => 0).filter(() => trend(values(41, (i) => 800 + slope * i + noise())) === wanted).length;

  test('alone is steady in at least 99 of 100 cases', () => {
    expect(count('steady', 0)).toBeGreaterThanOrEqual(495);
  });

  test('hides a rise or fall of 100 PPM in 10 minutes in at most 1 of 100 cases, and never turns it round', () => {
    expect(count('rising', 2.5)).toBeGreaterThanOrEqual(495);
    expect(count('falling', -2.5)).toBeGreaterThanOrEqual(495);
    expect(count('falling', 2.5)).toBe(0);
  });
});

test('follows the values there are', () => {
  const rising = readingsOf(values(40, (i) => 500 + 10 * i));
  const sparse = rising.map((one, i) => (i % 3 ? { ...one, co2: null } : one));
  expect(trendOf(sparse, 'co2', 1000)).toBe('rising');
  expect(
    trendOf(
      sparse.map((one) => ({ ...one, co2: null })),
      'co2',
      1000,
    ),
  ).toBe('steady');
});
