import { expect, test } from 'vitest';
import { formatDuration, formatLongDuration, formatWholeMinutes } from '../../../app/readings/time/durations';

test.each([
  [-1, '0 s'],
  [0, '0 s'],
  [999, '0 s'],
  [1000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [86_399_999, '23 h'],
  [86_400_000, '1 d'],
  [364 * 86_400_000, '364 d'],
  [400 * 86_400_000, '1 year'],
  [3062 * 86_400_000, '8 years'],
])('%d ms is %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test.each([
  [-1, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [270_000, '4 min 30 s'],
  [4_500_000, '1 h 15 min'],
  [3_630_000, '1 h'],
  [7 * 86_400_000 + 18 * 3_600_000 + 1_740_000, '7 d 18 h'],
  [86_400_000, '1 d'],
  [3062 * 86_400_000 + 25_200_000, '8 years 142 d'],
])('%d ms is %s in two units', (ms, words) => {
  expect(formatLongDuration(ms)).toBe(words);
});

test.each([
  [59_999, '59 s'],
  [270_000, '4 min'],
  [4_500_000, '1 h 15 min'],
])('%d ms, without seconds from a minute up, is %s', (ms, words) => {
  expect(formatWholeMinutes(ms)).toBe(words);
});
