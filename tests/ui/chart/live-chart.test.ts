import { describe, expect, test } from 'vitest';
import { DEFAULT_RANGE, findRange, type Range } from '../../../app/readings/chart/range';
import { describeShownRange } from '../../../app/ui/chart/live-chart';
import { reading } from '../../support/readings/readings';

const NOW = new Date('2026-11-21T11:40:30');

/** Describes `count` readings between two times. */
function shown(from: string, to: string, count: number, range: Range | undefined = DEFAULT_RANGE): string {
  const [start, end] = [new Date(from).getTime(), new Date(to).getTime()];
  const between = (i: number) => start + ((end - start) * i) / Math.max(1, count - 1);
  const readings = Array.from({ length: count }, (_, i) =>
    reading(i + 1, { created_at: new Date(between(i)).toISOString() }),
  );
  return describeShownRange(readings, range, NOW);
}

test('shows the period and the number of readings, with the day unless it is today', () => {
  expect(shown('2026-11-21T11:30:05', '2026-11-21T11:40:00', 40)).toBe('11:30 to 11:40, 40 readings');
  expect(shown('2026-11-20T11:40', '2026-11-21T11:40', 5760, findRange('24HR'))).toBe(
    '20 Nov 11:40 to 21 Nov 11:40, 5,760 readings',
  );
  expect(shown('2026-11-07T13:23:00', '2026-11-07T13:33:00', 40)).toBe('7 Nov 13:23 to 13:33, 40 readings');
  expect(shown('2025-12-31T23:55:00', '2026-01-01T00:05:00', 40)).toBe(
    '31 Dec 2025 23:55 to 1 Jan 0:05, 40 readings',
  );
});

describe('the time covered', () => {
  test('is shown if it differs from the name of the range', () => {
    expect(shown('2026-11-07T13:23', '2026-11-21T11:40', 5760, findRange('24HR'))).toBe(
      '7 Nov 13:23 to 21 Nov 11:40, 5,760 readings, 13 d 22 h',
    );
    expect(shown('2026-11-21T11:35:30', '2026-11-21T11:40:00', 19)).toBe(
      '11:35 to 11:40, 19 readings, 4 min 30 s',
    );
  });

  test.each([
    [539, true],
    [540, false],
    [660, false],
    [661, true],
  ])('is shown for 10MIN with readings over %i s: %s', (seconds, isSaid) => {
    const to = new Date(NOW.getTime() - 1000 * seconds).toISOString();
    expect(/, \d+ min/.test(shown(to, NOW.toISOString(), 40))).toBe(isSaid);
  });
});

test('counts only the readings that the range uses', () => {
  expect(shown('2026-11-21T11:00:00', '2026-11-21T11:40:00', 161)).toBe('11:30 to 11:40, 40 readings');
});

test('shows seconds for readings within one minute', () => {
  expect(shown('2026-11-21T11:40:05', '2026-11-21T11:40:25', 21)).toBe(
    '11:40:05 to 11:40:25, 21 readings, 20 s',
  );
});

test('shows the time of a single reading, and nothing without readings', () => {
  expect(shown('2026-11-20T09:05', '2026-11-20T09:05', 1)).toBe('20 Nov 9:05, 1 reading');
  expect(describeShownRange([], DEFAULT_RANGE, NOW)).toBe('');
});
