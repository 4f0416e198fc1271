import { describe, expect, test } from 'vitest';
import type { ChartPoint } from '../../../app/readings/chart/chart-series';
import { gapLength, gapText, pointTime } from '../../../app/ui/chart/point-text';

const NOW = new Date('2026-11-21T12:00:00');
const iso = (local: string) => new Date(local).toISOString();

function point(from: string, to: string, readings: number): ChartPoint {
  return {
    from: iso(from),
    to: iso(to),
    readings,
    co2: { average: 624.5, lowest: 600, highest: 649 },
    voc: { average: 100, lowest: 90.25, highest: 110 },
    gapBefore: { from: iso('2026-11-07T02:56:32'), to: iso('2026-11-14T21:25:32') },
  };
}

describe("a point's time", () => {
  test.each([
    ['2026-11-21T09:05:03', '2026-11-21T09:05:03', 1, '9:5:3'],
    ['2026-11-20T09:05:03', '2026-11-20T09:05:03', 1, '20 Nov 9:5:3'],
    ['2026-11-21T09:05:03', '2026-11-21T10:05:03', 240, '9:5:3 – 10:5:3'],
    ['2026-11-20T09:05:03', '2026-11-20T10:05:03', 240, '20 Nov 9:5:3 – 10:5:3'],
    ['2026-11-13T00:55:32', '2026-11-20T23:18:32', 240, '13 Nov 0:55:32 – 20 Nov 23:18:32'],
    ['2026-11-20T23:50:00', '2026-11-21T00:10:00', 80, '20 Nov 23:50:0 – 21 Nov 0:10:0'],
    ['2025-11-21T09:05:03', '2025-11-21T09:05:03', 1, '21 Nov 2025 9:5:3'],
  ])('from %s to %s of %i readings has the day where it is not today', (from, to, readings, text) => {
    expect(pointTime(point(from, to, readings), NOW)).toBe(text);
  });
});

test('a gap says how long it is, and its days', () => {
  const { gapBefore } = point('2026-11-14T21:25:32', '2026-11-14T21:25:32', 1);
  if (!gapBefore) throw new Error('no gap');
  expect(gapLength(gapBefore)).toBe('7 d 18 h');
  expect(gapText(gapBefore, NOW)).toBe('7 d 18 h without readings, 7 Nov 2:56:32 to 14 Nov 21:25:32');
  const today = { from: iso('2026-11-21T02:00:00'), to: iso('2026-11-21T03:15:00') };
  expect(gapText(today, NOW)).toBe('1 h 15 min without readings, 2:0:0 to 3:15:0');
});

test('a gap between steps is longer than the time between them, and has no times: nobody measured at a bound', () => {
  const night = { from: iso('2026-11-01T19:00:00'), to: iso('2026-11-02T07:00:00'), withinMs: 3_600_000 };
  expect(gapLength(night)).toBe('over 12 h');
  expect(gapText(night, NOW)).toBe('over 12 h without readings');
  const week = { from: iso('2026-11-01T01:00:00'), to: iso('2026-11-08T01:00:00'), withinMs: 86_400_000 };
  expect(gapText(week, NOW)).toBe('over 7 d without readings');
});
