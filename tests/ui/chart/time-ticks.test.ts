import { afterEach, describe, expect, test } from 'vitest';
import { timeMarks, timeTicks } from '../../../app/ui/chart/time-ticks';

const zone = process.env.TZ;

afterEach(() => {
  process.env.TZ = zone;
  if (zone === undefined) delete process.env.TZ;
});

const view = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The local time of each tick, such as `9:00`. Each label takes the width of `every` milliseconds. */
function clockOf({ from, to }: { from: number; to: number }, every: number): string[] {
  return timeTicks({ from, to }, () => every).times.map((time) => {
    const local = new Date(time);
    return `${local.getHours()}:${String(local.getMinutes()).padStart(2, '0')}`;
  });
}

test('a day has ticks at round hours', () => {
  process.env.TZ = 'Europe/Rome';
  const day = view('2026-11-21T00:00:00+01:00', '2026-11-22T00:00:00+01:00');
  expect(clockOf(day, 2.5 * HOUR)).toEqual([
    '0:00',
    '3:00',
    '6:00',
    '9:00',
    '12:00',
    '15:00',
    '18:00',
    '21:00',
    '0:00',
  ]);
});

test('hours stay round across the spring clock change, with one missing', () => {
  process.env.TZ = 'Europe/Rome';
  const day = view('2026-03-29T00:00:00+01:00', '2026-03-29T06:00:00+02:00');
  expect(clockOf(day, HOUR)).toEqual(['0:00', '1:00', '3:00', '4:00', '5:00', '6:00']);
  expect(clockOf(view('2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'), 2.5 * HOUR)).toContain(
    '12:00',
  );
});

test('a repeated hour has two ticks', () => {
  process.env.TZ = 'Europe/Rome';
  const night = view('2026-10-25T00:00:00+02:00', '2026-10-25T04:00:00+01:00');
  expect(clockOf(night, HOUR)).toEqual(['0:00', '1:00', '2:00', '2:00', '3:00', '4:00']);
});

test('hours follow zones with quarter-hour offsets and a half-hour clock change', () => {
  process.env.TZ = 'Asia/Kathmandu';
  expect(clockOf(view('2026-11-21T00:00:00Z', '2026-11-21T04:00:00Z'), HOUR)).toEqual([
    '6:00',
    '7:00',
    '8:00',
    '9:00',
  ]);
  process.env.TZ = 'Australia/Lord_Howe';
  // At 2:00 on 4 October 2026, the offset changes from UTC+10:30 to UTC+11:00.
  expect(clockOf(view('2026-10-03T13:30:00Z', '2026-10-03T17:00:00Z'), HOUR)).toEqual([
    '0:00',
    '1:00',
    '3:00',
    '4:00',
  ]);
});

test('a week has a tick at each local midnight, even across a clock change', () => {
  process.env.TZ = 'America/New_York';
  const week = view('2026-03-02T00:00:00-05:00', '2026-03-09T00:00:00-04:00');
  expect(clockOf(week, 0.9 * DAY)).toEqual(Array(8).fill('0:00'));
  expect(timeTicks(week, () => 0.9 * DAY).areDays).toBe(true);
});

test('ticks a few days apart are on Mondays', () => {
  const { times } = timeTicks(view('2026-11-01T00:00:00', '2026-12-01T00:00:00'), () => 6 * DAY);
  expect(times).toEqual([2, 9, 16, 23, 30].map((day) => new Date(2026, 10, day).getTime()));
});

test('a year has a tick on the first of each month, and 40 years have one every fifth year', () => {
  const year = timeTicks(view('2026-01-01T00:00:00', '2027-01-01T00:00:00'), () => 20 * DAY);
  expect(year.times).toEqual(Array.from({ length: 13 }, (_, i) => new Date(2026, i).getTime()));
  const decades = timeTicks(view('1990-01-01T00:00:00', '2030-01-01T00:00:00'), () => 1500 * DAY);
  expect(decades.labels).toEqual(['1990', '1995', '2000', '2005', '2010', '2015', '2020', '2025', '2030']);
});

describe.each([
  10_000,
  MINUTE,
  HOUR,
  DAY,
  4 * DAY,
  5 * DAY,
  30 * DAY,
  119 * DAY,
  400 * DAY,
  1700 * DAY,
  9000 * DAY,
])('in a view of %d ms', (length) => {
  test('at least two labels fit into the view without overlap', () => {
    const from = Date.parse('2026-03-27T13:37:21.345Z');
    const to = from + length;
    const room = length / 8;
    const { times, labels } = timeTicks({ from, to }, () => room);
    expect(times.length).toBeGreaterThan(1);
    expect(labels).toHaveLength(times.length);
    for (const [i, time] of times.entries()) {
      expect(time).toBeGreaterThanOrEqual(from);
      expect(time).toBeLessThanOrEqual(to);
      if (i > 0) expect(time - (times[i - 1] as number)).toBeGreaterThanOrEqual(room);
    }
  });
});

test('the widest label decides the number of ticks', () => {
  const day = view('2026-11-21T00:00:00', '2026-11-22T00:00:00');
  const wide = timeTicks(day, (label) => (label.includes('1') ? 5 * HOUR : 0));
  expect(wide.times).toHaveLength(5);
});

describe('marks', () => {
  const namesOf = (from: string, to: string) =>
    timeMarks(view(from, to)).map(({ name, hasBegun = false }) => [name.replace(/[.,]/g, ''), hasBegun]);

  test('are at each day in a view of days, except one that starts at its end', () => {
    const names = namesOf('2026-11-20T00:00:00', '2026-11-22T00:00:00');
    expect(names).toHaveLength(2);
    for (const [i, [name, hasBegun]] of names.entries()) {
      expect(name).toContain(String(20 + i));
      expect(hasBegun).toBe(false);
    }
  });

  test('include the day at the start of the view, unless another starts soon', () => {
    expect(namesOf('2026-11-21T06:00:00', '2026-11-21T07:00:00').map(([, hasBegun]) => hasBegun)).toEqual([
      true,
    ]);
    expect(namesOf('2026-11-21T12:00:00', '2026-11-22T12:00:00').map(([, hasBegun]) => hasBegun)).toEqual([
      true,
      false,
    ]);
    expect(namesOf('2026-11-21T20:00:00', '2026-11-22T20:00:00').map(([, hasBegun]) => hasBegun)).toEqual([
      false,
    ]);
  });

  test('are months above ticks of days, years above ticks of months, and none in a view of many years', () => {
    expect(namesOf('2026-11-01T00:00:00', '2027-01-01T00:00:00')).toHaveLength(2);
    expect(namesOf('2025-01-01T00:00:00', '2027-01-01T00:00:00')).toEqual([
      ['2025', false],
      ['2026', false],
    ]);
    expect(namesOf('2005-01-01T00:00:00', '2027-01-01T00:00:00')).toEqual([]);
  });
});

test('labels show days before months, as everywhere', () => {
  process.env.TZ = 'Europe/Rome';
  const day = view('2026-11-21T00:00:00+01:00', '2026-11-22T00:00:00+01:00');
  expect(timeMarks(day)[0]?.name).toBe('Sat 21 Nov');
  const weeks = view('2026-11-01T00:00:00+01:00', '2026-11-29T00:00:00+01:00');
  expect(timeTicks(weeks, () => 5 * DAY).labels).toEqual(['2 Nov', '9 Nov', '16 Nov', '23 Nov']);
  expect(timeMarks(weeks)[0]?.name).toBe('November 2026');
});
