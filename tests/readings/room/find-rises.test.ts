import { expect, test } from 'vitest';
import { findRises } from '../../../app/readings/room/find-rises';

const curveOf = (co2: (minute: number) => number, length: number) =>
  Array.from({ length }, (_, minute) => ({ minute, co2: co2(minute) }));

test('finds a rise every five minutes, with its time until the threshold', () => {
  const { ended } = findRises(
    curveOf((minute) => 600 + 10 * minute, 60),
    1000,
  );
  expect(ended[0]).toMatchObject({
    isFirst: true,
    slope: expect.closeTo(600),
    reachedAfter: expect.any(Number),
  });
  for (const { minute, reachedAfter } of ended) expect(minute + (reachedAfter ?? 0)).toBe(40);
  expect(ended.slice(1).map(({ minute }, i) => minute - (ended[i]?.minute ?? 0))).toEqual(
    ended.slice(1).map(() => 5),
  );
});

test('a rise whose threshold isn’t reached within two hours has no time', () => {
  const { ended } = findRises(
    curveOf((minute) => 600 + 350 * (1 - Math.exp(-minute / 20)), 240),
    1000,
  );
  expect(ended.length).toBeGreaterThan(0);
  expect(ended.every(({ reachedAfter }) => reachedAfter === null)).toBe(true);
});

test('CO2 that hovers around the threshold is a single rise that has ended', () => {
  const hovering = curveOf(
    (minute) => (minute < 40 ? 600 + 10 * minute : 980 + 30 * Math.cos((2 * Math.PI * (minute - 40)) / 60)),
    625,
  );
  const { ended, current } = findRises(hovering, 1000);
  expect(ended.filter(({ isFirst }) => isFirst)).toHaveLength(1);
  expect(current).toBe(null);
});

test('a rise that ends because a window is opened is interrupted, and the next one counts', () => {
  const interrupted = curveOf((minute) => {
    const of = minute % 120;
    return of <= 30 ? 650 + 10 * of : of < 60 ? Math.max(650, 950 - 20 * (of - 30)) : 650;
  }, 240);
  const { ended } = findRises(interrupted, 1000);
  expect(ended.filter(({ isFirst }) => isFirst)).toHaveLength(2);
  for (const { minute, reachedAfter, interruptedAfter } of ended) {
    expect(reachedAfter).toBe(null);
    // CO2 is 40 PPM lower two minutes after the window was opened; a median follows two minutes later.
    expect((minute % 120) + (interruptedAfter ?? 0)).toBeGreaterThanOrEqual(32);
    expect((minute % 120) + (interruptedAfter ?? 0)).toBeLessThanOrEqual(36);
  }
});

test('the threshold is reached between two readings that are ten minutes apart', () => {
  const sparse = curveOf((minute) => 600 + 10 * minute, 80).filter(({ minute }) => minute % 10 === 5);
  const { ended } = findRises(sparse, 1000);
  expect(ended.length).toBeGreaterThan(0);
  for (const { minute, reachedAfter } of ended) expect(minute + (reachedAfter ?? 0)).toBeCloseTo(40, 5);
});
