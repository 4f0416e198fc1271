import { afterEach, describe, expect, test } from 'vitest';
import { type CalendarUnit, isWithin, unitAround } from '../../../app/readings/time/history-span';
import {
  comparedNotes,
  comparedPieces,
  moveToPieces,
  nameCompared,
  piecesUntil,
} from '../../../app/ui/chart/compared-time';
import type { HistoryPoints } from '../../../app/ui/chart/history-points';

const zone = process.env.TZ;

afterEach(() => {
  process.env.TZ = zone;
  if (zone === undefined) delete process.env.TZ;
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (time: string) => Date.parse(time);

/** Returns the compared time in the previous local day, week, month or year; null if there is none. */
function comparedWith(time: string, unit: CalendarUnit): string | null {
  const pieces = comparedPieces(unitAround(unit, new Date(time)), unit);
  const piece = pieces.find((one) => isWithin(at(time), one));
  return piece ? new Date(at(time) - piece.shift).toISOString().slice(0, 16) : null;
}

describe('compares a time with the same local time', () => {
  const BERLIN = 'Europe/Berlin';
  const LORD_HOWE = 'Australia/Lord_Howe';

  test.each([
    ['on 1 March', BERLIN, '2026-03-01T12:00+01:00', 'month', '2026-02-01T11:00'],
    ['on 28 March', BERLIN, '2026-03-28T23:59+01:00', 'month', '2026-02-28T22:59'],
    ['on 29 March, which February lacks', BERLIN, '2026-03-29T00:00+01:00', 'month', null],
    ['on 31 March, which February lacks', BERLIN, '2026-03-31T22:00+02:00', 'month', null],
    ['on 29 March of a leap year', BERLIN, '2024-03-29T12:00+01:00', 'month', '2024-02-29T11:00'],
    ['on 30 March of a leap year', BERLIN, '2024-03-30T12:00+01:00', 'month', null],
    ['in summer, a month after winter', BERLIN, '2026-04-20T12:00+02:00', 'month', '2026-03-20T11:00'],
    ['in January, a year before', BERLIN, '2026-01-10T12:00+01:00', 'month', '2025-12-10T11:00'],
    ['a year after 28 February of a leap year', BERLIN, '2025-02-28T12:00+01:00', 'year', '2024-02-28T11:00'],
    ['a year after 29 February', BERLIN, '2025-03-01T12:00+01:00', 'year', '2024-03-01T11:00'],
    ['on 29 February, which the year before lacks', BERLIN, '2024-02-29T12:00+01:00', 'year', null],
    ['on 1 March of a leap year', BERLIN, '2024-03-01T12:00+01:00', 'year', '2023-03-01T11:00'],
    ['in winter, a year after summer', BERLIN, '2025-10-26T12:00+01:00', 'year', '2024-10-26T10:00'],
    ['before the clocks go forward', BERLIN, '2026-03-29T01:59+01:00', 'day', '2026-03-28T00:59'],
    ['after the clocks went forward', BERLIN, '2026-03-29T03:00+02:00', 'day', '2026-03-28T02:00'],
    ['the end of the day after', BERLIN, '2026-03-30T23:50+02:00', 'day', '2026-03-29T21:50'],
    ['the day after, in the skipped hour', BERLIN, '2026-03-30T02:30+02:00', 'day', null],
    ['the day after, beyond the skipped hour', BERLIN, '2026-03-30T03:00+02:00', 'day', '2026-03-29T01:00'],
    ['in the first of two hours', BERLIN, '2026-10-25T02:30+02:00', 'day', '2026-10-24T00:30'],
    ['in the second of two hours', BERLIN, '2026-10-25T02:30+01:00', 'day', '2026-10-24T00:30'],
    ['after the clocks went back', BERLIN, '2026-10-25T23:50+01:00', 'day', '2026-10-24T21:50'],
    ['the day after, in the repeated hour', BERLIN, '2026-10-26T02:30+01:00', 'day', '2026-10-25T00:30'],
    ['a week after the clocks went forward', BERLIN, '2026-04-01T10:00+02:00', 'week', '2026-03-25T09:00'],
    ['in the week in which the clocks go back', BERLIN, '2026-10-25T12:00+01:00', 'week', '2026-10-18T10:00'],
    ['before half an hour is skipped', LORD_HOWE, '2026-10-04T01:59+10:30', 'day', '2026-10-02T15:29'],
    ['after half an hour was skipped', LORD_HOWE, '2026-10-04T02:30+11:00', 'day', '2026-10-02T16:00'],
    ['the day after, in the skipped half hour', LORD_HOWE, '2026-10-05T02:15+11:00', 'day', null],
    ['in a repeated half hour', LORD_HOWE, '2026-04-05T01:45+10:30', 'day', '2026-04-03T14:45'],
    ['the day after a repeated half hour', LORD_HOWE, '2026-04-06T12:00+10:30', 'day', '2026-04-05T01:30'],
    ['after a day that the calendar skips', 'Pacific/Apia', '2011-12-31T12:00+14:00', 'day', null],
    ['a week after that day', 'Pacific/Apia', '2012-01-06T12:00+14:00', 'week', null],
  ] as const)('%s', (_, timeZone, time, unit, before) => {
    process.env.TZ = timeZone;
    expect(comparedWith(time, unit)).toBe(before);
  });
});

test('a day without a clock change is one piece', () => {
  process.env.TZ = 'Asia/Kathmandu';
  const day = unitAround('day', new Date('2026-11-21T12:00Z'));
  expect(comparedPieces(day, 'day')).toEqual([{ ...day, shift: DAY }]);
});

test('pieces end where the earlier period ends', () => {
  const pieces = [
    { from: 0, to: 10, shift: 30 },
    { from: 10, to: 40, shift: 25 },
  ];
  expect(piecesUntil(pieces, 0)).toEqual([pieces[0], { from: 10, to: 25, shift: 25 }]);
  expect(piecesUntil(pieces, -20)).toEqual([pieces[0]]);
});

const points = (...positions: number[]): HistoryPoints => ({
  points: positions.map((position) => ({
    from: new Date(position).toISOString(),
    to: new Date(position).toISOString(),
    readings: 2,
    co2: { lowest: 1, average: 400 + position, highest: 9 },
    voc: position % 2 ? null : { lowest: 1, average: 100 + position, highest: 9 },
    gapBefore: null,
  })),
  positions,
  gaps: [],
});

describe('the earlier period', () => {
  const pieces = [
    { from: 0, to: 20, shift: 100 },
    { from: 20, to: 30, shift: 110 },
    { from: 50, to: 60, shift: 100 },
  ];

  test('is moved to its pieces, and drawn in each piece that shows it', () => {
    const { positions } = moveToPieces(points(-105, -95, -85, -75, -45), pieces);
    expect(positions).toEqual([5, 15, 25, 55]);
    const twice = [
      { from: 0, to: 10, shift: 100 },
      { from: 10, to: 20, shift: 110 },
    ];
    expect(moveToPieces(points(-95), twice).positions).toEqual([5, 15]);
  });

  test('has a gap between separate pieces', () => {
    const moved = moveToPieces(points(-95, -85, -45, -44), pieces);
    expect(moved.points.map(({ gapBefore }) => gapBefore !== null)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
  });
});

describe('a note on the earlier period', () => {
  const pieces = [{ from: 0, to: 100, shift: DAY }];
  const notes = (history: HistoryPoints, before: HistoryPoints, stepMs = 10) =>
    comparedNotes(history, before, { unit: 'day', pieces, stepMs }).points.map(({ note }) => note);

  test('shows the values of its nearest point', () => {
    expect(notes(points(10, 20, 30), points(2, 12, 23, 31))).toEqual([
      'day before: 412 PPM, 112 PPB',
      'day before: 423 PPM',
      'day before: 431 PPM',
    ]);
  });

  test('is omitted for a time that the earlier period lacks', () => {
    expect(notes(points(95, 103), points(98))).toEqual(['day before: 498 PPM, 198 PPB', undefined]);
  });

  test('is omitted if no point is near', () => {
    expect(notes(points(10, 90), points(12))).toEqual(['day before: 412 PPM, 112 PPB', undefined]);
    expect(notes(points(10, 20), points())).toEqual([undefined, undefined]);
  });
});

test('names the earlier period, and the share of it with readings', () => {
  const from = new Date(2026, 10, 1).getTime();
  const day = 86_400_000;
  const month = { unit: 'month', pieces: [{ from, to: from + 30 * day, shift: 0 }] } as const;
  const onDays = (count: number) => Array.from({ length: count }, (_, i) => from + i * day + 3_600_000);
  expect(nameCompared(month, onDays(30))).toBe('month before');
  expect(nameCompared(month, [...onDays(3), ...onDays(3)])).toBe('month before, readings on 3 of 30 days');
  const pieces = [{ from, to: from + day, shift: 0 }];
  expect(nameCompared({ unit: 'day', pieces }, [from + 1])).toBe('day before, readings in 1 of 24 hours');
  expect(nameCompared({ unit: 'day', pieces: [] }, [])).toBe('day before');
});
