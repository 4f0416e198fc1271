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
