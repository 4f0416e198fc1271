import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatReadingTime } from '../../../app/readings/time/reading-time';
import { ImportError } from '../../../scripts/fail.js';
import { formatTime, timeParser } from '../../../scripts/import/time.js';

const parse = (text: string, options: Parameters<typeof timeParser>[0] = {}) =>
  formatTime(timeParser(options).parse(text));

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456Z'],
  ['2026-01-31T12:00:00,5+01:00', '2026-01-31T11:00:00.500Z'],
  ['2026-01-31 12:00:00 UTC', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31 12:00+0530', '2026-01-31T06:30:00.000Z'],
  ['1769860800', '2026-01-31T12:00:00.000Z'],
  ['1769860800.25', '2026-01-31T12:00:00.250Z'],
  ['1769860800123', '2026-01-31T12:00:00.123Z'],
  ['1769860800123456', '2026-01-31T12:00:00.123456Z'],
  ['1769860800123456789', '2026-01-31T12:00:00.123456Z'],
])('reads %s', (text, time) => {
  expect(parse(text)).toBe(time);
});

test.each([
  ['31.01.2026 12:00', '2026-01-31T11:00:00.000Z'],
  ['1.2.2026, 12:00:30', '2026-02-01T11:00:30.000Z'],
  ['2026/01/31 12:00', '2026-01-31T11:00:00.000Z'],
  ['1/31/2026 12:30 AM', '2026-01-30T23:30:00.000Z'],
  ['1/31/2026 12:30 pm', '2026-01-31T11:30:00.000Z'],
  ['31/1/2026 23:59', '2026-01-31T22:59:00.000Z'],
  ['01/31/26 01:15:00 PM', '2026-01-31T12:15:00.000Z'],
  ['31.1.26 13:15', '2026-01-31T12:15:00.000Z'],
  ['2026. 1. 31. 13:15', '2026-01-31T12:15:00.000Z'],
  ['31 Jan 2026 13:15', '2026-01-31T12:15:00.000Z'],
  ['31-Jan-26 13:15:30', '2026-01-31T12:15:30.000Z'],
  ['Jan 31, 2026, 1:15 PM', '2026-01-31T12:15:00.000Z'],
  ['31. März 2026 13:15', '2026-03-31T11:15:00.000Z'],
  ['Sat, 31 Jan 2026 13:15:00 GMT', '2026-01-31T13:15:00.000Z'],
  ['Sat Jan 31 2026 13:15:00 GMT+0200 (EET)', '2026-01-31T11:15:00.000Z'],
  ['2026-01-31 13:15:00 +0000 UTC', '2026-01-31T13:15:00.000Z'],
])('reads %s in the zone of the file', (text, time) => {
  expect(parse(text, { timeZone: 'Europe/Berlin' })).toBe(time);
});

test('an ambiguous date needs --date-order', () => {
  const timeZone = 'UTC';
  expect(() => parse('03/04/2026 10:00', { timeZone })).toThrow(/two ways\. Add --date-order mdy/);
  expect(parse('03/04/2026 10:00', { timeZone, dateOrder: 'mdy' })).toBe('2026-03-04T10:00:00.000Z');
  expect(parse('03/04/2026 10:00', { timeZone, dateOrder: 'dmy' })).toBe('2026-04-03T10:00:00.000Z');
  expect(parse('04/04/2026 10:00', { timeZone })).toBe('2026-04-04T10:00:00.000Z');
});

test('a year of two digits may come first', () => {
  const timeZone = '-07:00';
  expect(() => parse('05/10/23 13:55', { timeZone })).toThrow(/two ways.*, or ymd if the year does/);
  expect(parse('05/10/23 13:55', { timeZone, dateOrder: 'ymd' })).toBe('2005-10-23T20:55:00.000Z');
  expect(parse('10/24/23 13:55', { timeZone })).toBe('2023-10-24T20:55:00.000Z');
});

test('a time without an offset needs a zone', () => {
  expect(() => parse('2026-01-31 12:00')).toThrow(ImportError);
  expect(() => parse('2026-01-31 12:00')).toThrow(/has no offset from UTC\. Add --time-zone/);
  expect(() => timeParser({ timeZone: 'Europe/Bonn' })).toThrow(/not "Europe\/Bonn"/);
});

test.each(['noon', '', '2026-02-30 12:00', '2026-13-01T00:00:00Z', '25:00', '1/31/2026 13:00 PM'])(
  'rejects only the line with the time "%s"',
  (text) => {
    expect(() => parse(text, { timeZone: 'UTC' })).toThrow(RangeError);
  },
);

test.each([
  ['46327.5', /before 2000 as Unix time\. If it is the day number of a spreadsheet/],
  ['13:38:35', /a time of day without a date/],
  ['31 Foo 2026 13:15', /not a time in a known format/],
])('refuses %s, and says why', (text, reason) => {
  expect(() => parse(text, { timeZone: 'UTC' })).toThrow(reason);
});

test('refuses a time that the clocks skipped', () => {
  expect(() => parse('2026-03-29 02:30', { timeZone: 'Europe/Berlin' })).toThrow(
    /"2026-03-29 02:30" does not exist in Europe\/Berlin: the clocks went forward/,
  );
});

const NIGHT = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'].map((time) => `2026-10-25 ${time}`);
const HOURS = ['23:30', '00:00', '00:30', '01:00', '01:30', '02:00'];

test('resolves a repeated hour by the order of the file, oldest first', () => {
  const clock = timeParser({ timeZone: 'Europe/Berlin' });
  const times = NIGHT.map((text) => formatTime(clock.parse(text)).slice(11, 16));
  expect(times).toEqual(HOURS);
  expect(clock.repeated()).toBe(4);
});

test('resolves a repeated hour by the order of the file, newest first', () => {
  const clock = timeParser({ timeZone: 'Europe/Berlin' });
  const times = ['2026-10-25 04:00', ...NIGHT.toReversed()].map((text) =>
    formatTime(clock.parse(text)).slice(11, 16),
  );
  expect(times).toEqual(['03:00', ...HOURS.toReversed()]);
});

test('resolves a repeated hour for each sensor, even with one reading an hour', () => {
  const clock = timeParser({ timeZone: 'Europe/Berlin' });
  const times = ['01:00', '02:00', '02:00', '03:00'].flatMap((time) =>
    ['Attic', 'Bath'].map((sensor) => formatTime(clock.parse(`2026-10-25 ${time}`, sensor)).slice(11, 13)),
  );
  expect(times).toEqual(['23', '23', '00', '00', '01', '01', '02', '02']);
});

test.each([
  ['America/St_Johns', '2026-07-01 12:00', '2026-07-01T14:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04 02:30', '2026-10-03T15:30:00.000Z'],
  ['Pacific/Apia', '2011-12-31 00:00', '2011-12-30T10:00:00.000Z'],
])('knows the offsets of %s', (timeZone, text, time) => {
  expect(parse(text, { timeZone })).toBe(time);
});

test('formats times as the server does', () => {
  const [min, max] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const exactMs = fc.integer({ min: Math.ceil(min / 1000), max: Math.floor(max / 1000) });
  const time = fc.oneof(
    fc.integer({ min, max }),
    exactMs.map((ms) => ms * 1000),
  );
  fc.assert(
    fc.property(time, (us) => {
      expect(formatTime(us)).toBe(formatReadingTime(us));
    }),
    { seed: 12, numRuns: 1000 },
  );
});
