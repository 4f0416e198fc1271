import { describe, expect, test } from 'vitest';
import { comparedName, comparedNotes } from '../../app/readings/compared-time';
import type { HistoryPoints } from '../../app/readings/history-points';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([
  [DAY, 'day before'],
  [23 * HOUR, 'day before'],
  [25 * HOUR, 'day before'],
  [7 * DAY, 'week before'],
  [7 * DAY - HOUR, 'week before'],
  [28 * DAY, 'month before'],
  [31 * DAY, 'month before'],
  [365 * DAY, 'year before'],
  [366 * DAY, 'year before'],
  [2 * DAY, '2 d before'],
  [6.5 * HOUR, '6 h 30 min before'],
])('%d ms before is the %s', (shift, name) => {
  expect(comparedName(shift)).toBe(name);
});

describe('a note', () => {
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
  const notes = (history: HistoryPoints, before: HistoryPoints, stepMs = 10) =>
    comparedNotes(history, before, { shift: DAY, stepMs }).points.map(({ note }) => note);

  test('has the values of the nearest point of the time before', () => {
    expect(notes(points(10, 20, 30), points(2, 12, 23, 31))).toEqual([
      'day before: 412 PPM, 112 PPB',
      'day before: 423 PPM',
      'day before: 431 PPM',
    ]);
  });

  test('is left out where no point is near, or none at all', () => {
    expect(notes(points(10, 200), points(12))).toEqual(['day before: 412 PPM, 112 PPB', undefined]);
    expect(notes(points(10, 20), points())).toEqual([undefined, undefined]);
  });
});
