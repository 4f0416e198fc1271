import { expect, test } from 'vitest';
import { freshnessOf } from '../../../app/readings/now/stale';
import type { Reading } from '../../../app/readings/reading';
import { withArrivals } from '../../../app/ui/sensors/use-other-readings';
import { reading, START, sensorWith } from '../../support/readings/readings';

const SECOND = 1000;
const HOUR = 3_600_000;

const at = (id: number, time: number) =>
  reading(id, { sensor: 'Lab', created_at: new Date(time).toISOString() });

/** Returns readings at these intervals, repeated until they cover `lengthMs`. */
function sent(intervals: readonly number[], lengthMs: number): Reading[] {
  const all = [at(1, START)];
  for (let time = START, i = 0; time < START + lengthMs; i++) {
    time += intervals[i % intervals.length] ?? 0;
    all.push(at(all.length + 1, time));
  }
  return all;
}

const isLive = (readings: readonly Reading[], now: number) =>
  freshnessOf({ last: readings.at(-1) ?? null, readings, isDisconnected: false }, now) === 'live';

test.each([
  ['every 5 s', [5 * SECOND]],
  ['every minute', [60 * SECOND]],
  ['every 4 minutes', [240 * SECOND]],
  ['in bursts', [10 * SECOND, 10 * SECOND, 290 * SECOND]],
])('hours later, a sensor that sends %s is current for as long as on its own page', (_, intervals) => {
  const all = sent(intervals, 4 * HOUR);
  let known: ReadonlyMap<string, readonly Reading[]> = new Map([['Lab', all.slice(0, 40)]]);
  for (const newest of all.slice(40)) known = withArrivals(known, sensorWith([newest]));
  const others = known.get('Lab') ?? [];
  expect(others.at(-1)).toEqual(all.at(-1));
  const end = START + 4 * HOUR;
  for (let ageMs = 0; ageMs <= HOUR / 2; ageMs += 5 * SECOND)
    expect([ageMs, isLive(others, end + ageMs)]).toEqual([ageMs, isLive(all, end + ageMs)]);
});

test('forgets the readings after an interval in which the page may have missed some', () => {
  const all = sent([15 * SECOND], HOUR);
  const known = new Map([['Lab', all.slice(0, 40)]]);
  expect(withArrivals(known, sensorWith(all.slice(-1))).size).toBe(0);
  expect(withArrivals(known, sensorWith(all.slice(39, 40)))).toBe(known);
});
