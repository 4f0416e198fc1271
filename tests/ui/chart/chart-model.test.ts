import { afterEach, expect, test } from 'vitest';
import { findMidnights } from '../../../app/ui/chart/chart-model';

const zone = process.env.TZ;

afterEach(() => {
  process.env.TZ = zone;
  if (zone === undefined) delete process.env.TZ;
});

const at = (...times: string[]) => times.map((from) => ({ from: new Date(from).toISOString() }));

test('finds no midnight between points of one day', () => {
  expect(findMidnights([])).toEqual([]);
  expect(findMidnights(at('2026-11-21T00:00', '2026-11-21T23:59:59'))).toEqual([]);
});

test('places a midnight in proportion between its neighbouring points', () => {
  const [midnight] = findMidnights(at('2026-11-20T22:00', '2026-11-20T23:00', '2026-11-21T03:00'));
  expect(midnight).toEqual({ position: 1.25, day: new Date('2026-11-21T00:00') });
});

test('places midnight at a point that is exactly at midnight', () => {
  expect(findMidnights(at('2026-11-20T22:00', '2026-11-21T00:00'))[0]?.position).toBe(1);
});

test('marks only the day of the second point if points are several days apart', () => {
  const midnights = findMidnights(at('2026-11-13T12:00', '2026-11-21T12:00'));
  expect(midnights.map(({ day }) => day)).toEqual([new Date('2026-11-21T00:00')]);
});

test('uses the days of the time zone, even one of 23 hours', () => {
  process.env.TZ = 'Europe/Rome';
  // The clocks go from 2:00 to 3:00 on 29 March 2026.
  const hours = Array.from({ length: 49 }, (_, i) => ({
    from: new Date(Date.UTC(2026, 2, 28, 10 + i)).toISOString(),
  }));
  expect(findMidnights(hours)).toEqual([
    { position: 13, day: new Date('2026-03-28T23:00:00Z') },
    { position: 36, day: new Date('2026-03-29T22:00:00Z') },
  ]);
});

test('starts a day at 1:00 if the clock skips midnight', () => {
  process.env.TZ = 'Africa/Cairo';
  // The clocks went from 0:00 to 1:00 on 26 April 2024.
  const [midnight] = findMidnights([{ from: '2024-04-25T21:00:00Z' }, { from: '2024-04-25T23:00:00Z' }]);
  expect(midnight).toEqual({ position: 0.5, day: new Date('2024-04-25T22:00:00Z') });
});
