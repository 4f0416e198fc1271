import { expect, test } from 'vitest';
import { airAfter, followAir } from '../../../app/readings/air/follow-air';
import { levelSince } from '../../../app/readings/air/level-since';
import { LEVELS, type Level } from '../../../app/readings/level/level';
import type { Reading } from '../../../app/readings/reading';
import { reading, START } from '../../support/readings/readings';
import { RULES } from '../../support/readings/thresholds';

/** Returns readings with these values of CO2, one a minute. */
const minutes = (...values: number[]): Reading[] =>
  values.map((co2, i) =>
    reading(i + 1, { co2, voc: 100, created_at: new Date(START + i * 60_000).toISOString() }),
  );

const times = (count: number, value: number) => Array<number>(count).fill(value);

/** Returns since which minute the air has a level. */
function sinceMinute(readings: readonly Reading[], level: Level): string | null {
  const known = airAfter(null, readings, RULES);
  const since = known && levelSince(known, level);
  if (!since) return null;
  return `${since.isAtLeast ? 'at least ' : ''}${(Date.parse(since.since) - START) / 60_000}`;
}

test.each<[string, number[], Level, string | null]>([
  ['a level counts from its first reading', [500, ...times(20, 1200)], 'moderate', '1'],
  ['before it has lasted long enough as well', [500, ...times(3, 1200)], 'moderate', '1'],
  ['each level has its own beginning', [500, ...times(8, 1200), ...times(8, 2200)], 'poor', '9'],
  ['a worse level that has only begun too', [500, ...times(8, 1200), 2200, 2200], 'poor', '9'],
  ['a value at the limit interrupts nothing', [500, ...times(8, 1200), 980, 1200], 'moderate', '1'],
  ['it may have begun before the first reading', times(8, 1200), 'moderate', 'at least 0'],
  ['a level that the rules have not left yet', [500, ...times(8, 2200), 1950], 'moderate', null],
])('%s', (_, values, level, since) => {
  expect(sinceMinute(minutes(...values), level)).toBe(since);
});

test('a level does not last through a silence', () => {
  const later = minutes(...times(3, 1200)).map((one) => ({
    ...one,
    id: one.id + 100,
    created_at: new Date(Date.parse(one.created_at) + 3_600_000).toISOString(),
  }));
  expect(sinceMinute([...minutes(500, ...times(8, 1200)), ...later], 'moderate')).toBe('at least 60');
});

test('follows a page: the same as all at once, whatever arrives, late or not', () => {
  const all = minutes(500, ...times(8, 1200), ...times(8, 2200), ...times(9, 700));
  const follow = followAir(null, RULES);
  const shown: Reading[] = [];
  // The fourth and the twelfth come late.
  for (const i of [0, 1, 2, 4, 3, 5, 6, 7, 8, 9, 10, 12, 13, 14, 11, ...times(11, 15).map((n, j) => n + j)]) {
    shown.push(all[i] as Reading);
    shown.sort((a, b) => a.id - b.id);
    const [followed, known] = [follow([...shown]), airAfter(null, shown, RULES)];
    for (const level of LEVELS) expect(followed(level)).toEqual(known && levelSince(known, level));
  }
});

test('a page that has lost its oldest readings knows what it has seen, and one that has never had them what the server said', () => {
  const all = minutes(500, ...times(20, 1200));
  const follow = followAir(null, RULES);
  follow(all.slice(0, 18));
  expect(follow(all.slice(5))('moderate')).toEqual({ level: 'moderate', since: timeOf(1), isAtLeast: false });
  const late = followAir({ level: 'moderate', since: timeOf(1), isAtLeast: false }, RULES)(all.slice(5));
  expect(late('moderate')).toEqual({ level: 'moderate', since: timeOf(1), isAtLeast: false });
  expect(followAir(null, RULES)(all.slice(5))('moderate')?.since).toBe(timeOf(5));
});

const timeOf = (minute: number) => new Date(START + minute * 60_000).toISOString();
