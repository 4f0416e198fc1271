import { expect, test } from 'vitest';
import { isSameSpan, SHORTEST_MS } from '../../../app/readings/time/history-span';
import { moveView, zoomView } from '../../../app/ui/chart/time-view';

const LIMITS = { from: 0, to: 1_000_000 };

test('a zoom keeps the time around which it zooms in its place', () => {
  const view = zoomView({ from: 200_000, to: 600_000 }, 300_000, 0.5, LIMITS);
  expect(view).toEqual({ from: 250_000, to: 450_000 });
  expect(zoomView(view, 300_000, 2, LIMITS)).toEqual({ from: 200_000, to: 600_000 });
});

test('a zoom out ends at the limits, and one at a limit uses all of the room at the other end', () => {
  expect(zoomView({ from: 0, to: 400_000 }, 100_000, 2, LIMITS)).toEqual({ from: 0, to: 800_000 });
  expect(zoomView({ from: 0, to: 800_000 }, 100_000, 2, LIMITS)).toEqual(LIMITS);
  expect(isSameSpan(zoomView(LIMITS, 100_000, 2, LIMITS), LIMITS)).toBe(true);
});

test('a zoom in ends at ten seconds', () => {
  const shortest = zoomView({ from: 0, to: 20_000 }, 10_000, 0.01, LIMITS);
  expect(shortest.to - shortest.from).toBe(SHORTEST_MS);
  expect(zoomView(shortest, 10_000, 0.5, LIMITS)).toEqual(shortest);
});

test('a view moves as far as its limits and keeps its length', () => {
  expect(moveView({ from: 200_000, to: 600_000 }, -100_000, LIMITS)).toEqual({ from: 100_000, to: 500_000 });
  expect(moveView({ from: 200_000, to: 600_000 }, -900_000, LIMITS)).toEqual({ from: 0, to: 400_000 });
  expect(moveView({ from: 200_000, to: 600_000 }, 900_000, LIMITS)).toEqual({ from: 600_000, to: 1_000_000 });
});

test('a view that reaches beyond its limits, as today does beyond now, stays until it moves away', () => {
  const today = { from: 900_000, to: 1_100_000 };
  expect(moveView(today, 50_000, LIMITS)).toEqual(today);
  expect(zoomView(today, 1_000_000, 2, LIMITS)).toEqual({ from: 700_000, to: 1_100_000 });
  expect(moveView(moveView(today, -200_000, LIMITS), 200_000, LIMITS)).toEqual({
    from: 800_000,
    to: 1_000_000,
  });
});

test('a view that begins before its limits, as the day of the first reading does, stays until it moves away', () => {
  const firstDay = { from: -100_000, to: 100_000 };
  expect(moveView(firstDay, -50_000, LIMITS)).toEqual(firstDay);
  expect(zoomView(firstDay, 0, 2, LIMITS)).toEqual({ from: -100_000, to: 300_000 });
  expect(moveView(moveView(firstDay, 200_000, LIMITS), -200_000, LIMITS)).toEqual({ from: 0, to: 200_000 });
});

test('times are whole milliseconds', () => {
  const { from, to } = zoomView({ from: 0, to: 100_000 }, 33_333, 0.9, LIMITS);
  expect([Number.isInteger(from), Number.isInteger(to)]).toEqual([true, true]);
});
