import { expect, test } from 'vitest';
import { daysByHour, monthsByDay, type TimeRow } from '../../../app/readings/history/time-rows';
import { keepTimeZone, setTimeZone } from '../../support/time-zone';

keepTimeZone();

const HOUR_MS = 3_600_000;
const at = (time: string) => new Date(time).getTime();
const span = (from: string, to: string) => ({ from: at(from), to: at(to) });
/** The number of times in each column. */
const counts = ({ columns }: TimeRow) => columns.map((times) => times.length);

/** Spans with clock changes, or zones whose hours start at other times than those of UTC. */
const ZONES = [
  ['Europe/Rome', '2026-03-27T00:00', '2026-04-01T00:00'],
  ['Europe/Rome', '2026-10-23T00:00', '2026-10-28T00:00'],
  ['America/New_York', '2026-10-30T00:00', '2026-11-03T00:00'],
  ['Australia/Lord_Howe', '2026-04-03T00:00', '2026-04-07T00:00'],
  ['Australia/Lord_Howe', '2026-10-02T00:00', '2026-10-06T00:00'],
  ['Asia/Kathmandu', '2026-11-20T00:00', '2026-11-22T00:00'],
  ['Africa/Cairo', '2024-04-25T00:00', '2024-04-28T00:00'],
  ['Africa/Cairo', '2024-10-30T00:00', '2024-11-02T00:00'],
] as const;

test.each(ZONES)('every minute is in the day and hour of its clock: %s from %s', (zone, from, to) => {
  setTimeZone(zone);
  const whole = span(from, to);
  const rows = daysByHour(whole);
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const placed = new Map<number, string>();
  for (const row of rows) {
    const date = clock.format(row.from).split(', ')[0];
    row.columns.forEach((times, hour) => {
      for (const time of times) {
        for (let minute = time.from; minute < time.to; minute += 60_000) {
          placed.set(minute, `${date}, ${String(hour).padStart(2, '0')}`);
        }
      }
    });
  }
  for (let minute = whole.from; minute < whole.to; minute += 60_000) {
    expect(placed.get(minute)).toBe(clock.format(minute).slice(0, -3));
  }
  expect(placed.size).toBe((whole.to - whole.from) / 60_000);
});

test('an hour that the clocks skip has no cell', () => {
  setTimeZone('Europe/Rome');
  const [day] = daysByHour(span('2026-03-29T00:00', '2026-03-30T00:00'));
  expect(counts(day as TimeRow)).toEqual([1, 1, 0, ...Array(21).fill(1)]);
});

test('an hour that the clocks repeat has two cells, in order', () => {
  setTimeZone('Europe/Rome');
  const [day] = daysByHour(span('2026-10-25T00:00', '2026-10-26T00:00'));
  const from = Date.parse('2026-10-25T00:00Z');
  expect(day?.columns[2]).toEqual([
    { from, to: from + HOUR_MS, turn: 'first' },
    { from: from + HOUR_MS, to: from + 2 * HOUR_MS, turn: 'second' },
  ]);
  expect(day?.columns[3]).toEqual([{ from: from + 2 * HOUR_MS, to: from + 3 * HOUR_MS }]);
});

test('a repeated half hour is a separate cell', () => {
  setTimeZone('Australia/Lord_Howe');
  const [day] = daysByHour(span('2026-04-05T00:00', '2026-04-06T00:00'));
  expect(day?.columns[1]?.map(({ from, to }) => (to - from) / HOUR_MS)).toEqual([1, 0.5]);
});

test('a clock change in the middle of an hour divides it', () => {
  // At 0:01 on 29 October 2006, the clocks went back to 23:01 of the day before.
  setTimeZone('America/St_Johns');
  const [day] = daysByHour(span('2006-10-28T12:00', '2006-10-29T00:00'));
  expect(day?.columns[23]?.[0]?.to).toBe(Date.parse('2006-10-29T02:30Z'));
  const next = daysByHour(span('2006-10-29T00:00', '2006-10-30T00:00'))[0];
  expect(next?.columns[0]?.[0]).toMatchObject(span('2006-10-29T02:30Z', '2006-10-29T02:31Z'));
});

test('omits hours outside the span, and shows partly covered hours as a whole', () => {
  const rows = daysByHour(span('2026-11-20T22:30', '2026-11-21T01:00'));
  expect(rows.map(({ from }) => from)).toEqual([at('2026-11-20T00:00'), at('2026-11-21T00:00')]);
  expect(rows.map(counts)).toEqual([
    [...Array(22).fill(0), 1, 1],
    [1, ...Array(23).fill(0)],
  ]);
  expect(rows[0]?.columns[22]).toEqual([span('2026-11-20T22:00', '2026-11-20T23:00')]);
});

test('months have a column for each of their days, of 23 to 25 hours', () => {
  setTimeZone('Europe/Rome');
  const rows = monthsByDay(span('2026-02-27T00:00', '2026-11-03T00:00'));
  expect(rows.map((row) => counts(row).reduce((sum, count) => sum + count))).toEqual([
    2, 31, 30, 31, 30, 31, 31, 30, 31, 2,
  ]);
  expect(rows.map(({ from, to }) => [new Date(from).getDate(), new Date(to).getDate()])).toEqual(
    Array(10).fill([1, 1]),
  );
  const hours = (month: number, day: number) =>
    rows[month - 2]?.columns[day - 1]?.map(({ from, to }) => (to - from) / HOUR_MS);
  expect([hours(3, 28), hours(3, 29), hours(10, 25), hours(2, 28), hours(2, 26)]).toEqual([
    [24],
    [23],
    [25],
    [24],
    [],
  ]);
});

test('an empty span has no rows', () => {
  expect(daysByHour(span('2026-11-21T00:00', '2026-11-21T00:00'))).toEqual([]);
  expect(monthsByDay(span('2026-11-21T00:00', '2026-11-21T00:00'))).toEqual([]);
});
