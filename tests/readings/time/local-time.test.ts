import { expect, test } from 'vitest';
import { isTimeZone, offsetPeriods, zoneOffset } from '../../../app/readings/time/local-time';

const secondsOf = (time: string) => Date.parse(time) / 1000;

test.each([
  ['UTC', '2026-06-01T00:00:00Z', 0],
  ['Europe/Berlin', '2026-06-01T00:00:00Z', 7200],
  ['Europe/Berlin', '2026-12-01T00:00:00Z', 3600],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z', 20_700],
  ['America/St_Johns', '2026-12-01T00:00:00Z', -12_600],
  ['Europe/Berlin', '1890-01-01T00:00:00Z', 3208],
  ['America/New_York', '1880-01-01T00:00:00Z', -17_762],
])('the offset of %s at %s is %i s', (zone, time, offset) => {
  expect(zoneOffset(zone, secondsOf(time))).toBe(offset);
});

test('knows the names of zones, in any case', () => {
  expect(['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/GMT+5'].map(isTimeZone)).not.toContain(false);
  expect(['', 'Berlin', 'Europe/Nowhere', '../etc/passwd', 'Europe/Berlin '].map(isTimeZone)).not.toContain(
    true,
  );
});

test.each([
  ['Europe/Berlin', '2026', ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z']],
  ['America/St_Johns', '2026', ['2026-03-08T05:30:00Z', '2026-11-01T04:30:00Z']],
  ['Australia/Lord_Howe', '2026', ['2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z']],
  ['Asia/Kathmandu', '2026', []],
  // For Ramadan, which lasts a month. Morocco changed its time permanently in 2026, which older versions of Node don't
  // know.
  ['Africa/Casablanca', '2025', ['2025-02-23T02:00:00Z', '2025-04-06T02:00:00Z']],
  ['Pacific/Apia', '2011', ['2011-04-02T14:00:00Z', '2011-09-24T14:00:00Z', '2011-12-30T10:00:00Z']],
])('the clocks of %s change in %s at %j', (zone, year, changes) => {
  const [from, to] = [secondsOf(`${year}-01-01T00:00:00Z`), secondsOf(`${year}-12-31T12:00:00Z`)];
  const periods = offsetPeriods(zone, from, to);
  expect(periods.slice(1).map((period) => period.from)).toEqual(changes.map(secondsOf));
  expect(periods.map((period) => period.to)).toEqual([...changes.map(secondsOf), to]);
  for (const period of periods) {
    expect(zoneOffset(zone, period.from)).toBe(period.offset);
    expect(zoneOffset(zone, period.to - 1)).toBe(period.offset);
  }
});

test('misses no change, wherever a span starts', () => {
  for (let day = 0; day < 100; day++) {
    const from = secondsOf('2025-11-01T00:00:00Z') + day * 86_400;
    expect(offsetPeriods('Africa/Casablanca', from, from + 200 * 86_400)).toHaveLength(3);
  }
});

test('a span may start or end with a change, and may be empty', () => {
  const [spring, autumn] = [secondsOf('2026-03-29T01:00:00Z'), secondsOf('2026-10-25T01:00:00Z')];
  expect(offsetPeriods('Europe/Berlin', spring, autumn)).toEqual([
    { from: spring, to: autumn, offset: 7200 },
  ]);
  expect(offsetPeriods('Europe/Berlin', spring, spring)).toEqual([]);
});
