import { expect, test } from 'vitest';
import { endOf } from '../../../app/readings/room/fall-end';
import { outdoorLevel } from '../../../app/readings/room/outdoor-level';
import { floorMinutes, stepOf } from '../../../app/readings/room/resolution';
import { OUTDOOR } from '../../support/readings/simulated-room';

const curveOf = (co2: (minute: number) => number, length: number) =>
  Array.from({ length }, (_, minute) => ({ minute, co2: co2(minute) }));
const decay = (end: number, rate: number, length: number) =>
  curveOf((minute) => end + (1500 - end) * Math.exp((-rate * minute) / 60), length);

test.each([
  [425, 8, 20],
  [573, 8, 20],
  [425, 0.5, 240],
  [260, 0.5, 240],
])('a fall that tends to %i PPM, at %f air changes an hour, shows its end', (end, rate, length) => {
  const found = endOf(decay(end, rate, length), true);
  expect(Math.abs((found?.ppm ?? 0) - end)).toBeLessThanOrEqual(Math.max(15, found?.error ?? 0));
});

test('the end of a short fall is less certain', () => {
  const errorOf = (length: number) => endOf(decay(425, 6, length), true)?.error ?? 0;
  expect(errorOf(8)).toBeGreaterThan(2 * errorOf(25));
  expect(endOf(decay(425, 6, 3), true)).toBe(null);
});

test('outdoor air is where lowest values, falls and what is known of it agree', () => {
  const ends = (...values: number[]) => values.map((ppm) => ({ ppm, error: 12, isAiring: true }));
  const levelOf = (low: number | null, ...values: number[]) => outdoorLevel(low, ends(...values), OUTDOOR);
  expect(levelOf(null).ppm).toBeCloseTo(OUTDOOR, -1);
  // A home where somebody is always there.
  expect(levelOf(672, 430, 465, 440).ppm).toBeCloseTo(435, -1.5);
  // A sensor that reads too high, and one that reads too low.
  expect(Math.abs(levelOf(573, 570, 580, 575).ppm - 573)).toBeLessThan(15);
  expect(Math.abs(levelOf(277, 280, 290, 275).ppm - 277)).toBeLessThan(20);
  // Falls with people end above it.
  expect(Math.abs(levelOf(430, 640, 700, 580).ppm - 428)).toBeLessThan(20);
  // Without falls, it is less certain.
  const [unsure, sure] = [levelOf(672), levelOf(672, 430, 465, 440)];
  expect(unsure.below + unsure.above).toBeGreaterThan(2 * (sure.below + sure.above));
});

test.each([
  [1, [400, 401, 407]],
  [10, [410, 440, 420]],
  [50, [450, 600, 500]],
  [0.5, [400, 401.5, 402]],
  [0, [420, 420]],
])('a step of %f PPM is learnt from the values', (step, values) => {
  expect(stepOf(curveOf((minute) => values[minute] ?? 0, values.length))).toBe(step);
});

test('counts the minutes at 400 PPM, and how high CO2 was shortly before', () => {
  const cut = curveOf((minute) => Math.max(400, 500 - 5 * minute), 40);
  expect(floorMinutes(cut, 0, 1)).toEqual({ at: 20, above: 0, below: 0, drops: [40] });
  const slow = curveOf((minute) => Math.round(399 + 20 * Math.exp(-minute / 20)), 90);
  expect(floorMinutes(slow, 0, 1).drops[0]).toBeLessThan(5);
});
