import { describe, expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { RANGES } from '../../../app/readings/chart/range';
import { type PointWindow, placePart, zoomedPart, zoomsAtTurn } from '../../../app/ui/chart/readings-zoom';
import { readings } from '../../support/readings/readings';

const [TEN_MINUTES, , , DAY] = RANGES;

/** The points after `count` readings, one every 15 s. */
const pointsAfter = (count: number, range: (typeof RANGES)[number] = TEN_MINUTES) =>
  chartSeries(readings(count), range);

/** Zooms in on a window after `before` readings and returns the window after `after` readings. */
function windowAfter(
  before: number,
  window: PointWindow,
  after: number,
  range: (typeof RANGES)[number] = TEN_MINUTES,
) {
  const part = zoomedPart(pointsAfter(before, range), window);
  return part && placePart(pointsAfter(after, range), part);
}

test('a zoom keeps its points while readings are added', () => {
  expect(windowAfter(20, { min: 5, max: 12 }, 21)).toEqual({ min: 5, max: 12 });
});

test('a zoom stays within half a group of its times while a full history drops readings', () => {
  const before = pointsAfter(5760, DAY);
  const window = { min: 10, max: 15 };
  const part = zoomedPart(before, window);
  if (!part) throw new Error('not zoomed');
  const halfGroupMs = 120 * 15_000;
  for (const added of [1, 100, 119, 121, 240, 900]) {
    const after = pointsAfter(5760 + added, DAY);
    const placed = placePart(after, part);
    expect(placed && placed.max - placed.min).toBe(5);
    for (const edge of ['min', 'max'] as const) {
      const time = Date.parse(before[window[edge]]?.from ?? '');
      const placedAt = Date.parse(after[placed?.[edge] ?? -1]?.from ?? '');
      expect(Math.abs(placedAt - time)).toBeLessThanOrEqual(halfGroupMs);
    }
  }
  expect(placePart(pointsAfter(5760 + 900, DAY), part)).toEqual({ min: 6, max: 11 });
});

test('a zoom that ends at the newest reading follows it and keeps its width', () => {
  for (const [before, after] of [
    [20, 21],
    [20, 40],
  ] as const)
    expect(windowAfter(before, { min: 12, max: 19 }, after)).toEqual({ min: after - 8, max: after - 1 });
  // A full history always has the same number of points.
  expect(windowAfter(5760, { min: 20, max: 23 }, 6000, DAY)).toEqual({ min: 20, max: 23 });
});

test('a zoom shows the same readings when averaging starts', () => {
  // Ten points of one reading become three of four readings.
  expect(windowAfter(40, { min: 12, max: 22 }, 44)).toEqual({ min: 2, max: 4 });
  expect(windowAfter(40, { min: 19, max: 39 }, 44)).toEqual({ min: 4, max: 9 });
});

test('a zoom is at least two points wide, even at the edges', () => {
  expect(windowAfter(40, { min: 20, max: 22 }, 41)).toEqual({ min: 5, max: 7 });
  expect(windowAfter(40, { min: 37, max: 39 }, 41)).toEqual({ min: 7, max: 9 });
  expect(windowAfter(40, { min: 36, max: 38 }, 41)).toEqual({ min: 7, max: 9 });
  expect(windowAfter(40, { min: 0, max: 2 }, 41)).toEqual({ min: 0, max: 2 });
});

test('a zoom shrinks as its readings are dropped, and ends with the last one', () => {
  expect(windowAfter(80, { min: 2, max: 6 }, 96)).toEqual({ min: 0, max: 2 });
  expect(windowAfter(80, { min: 2, max: 6 }, 104)).toEqual({ min: 0, max: 2 });
  expect(windowAfter(80, { min: 2, max: 6 }, 105)).toBeNull();
});

test('a zoom to all points ends the zoom', () => {
  const points = pointsAfter(20);
  expect(zoomedPart(points, { min: 0, max: 19 })).toBeNull();
  expect(zoomedPart(points, { min: 0, max: 18 })).not.toBeNull();
  expect(zoomedPart([], { min: 0, max: 2 })).toBeNull();
  expect(placePart([], { newest: 10 })).toBeNull();
  expect(placePart(pointsAfter(3), { newest: 10 })).toBeNull();
});

describe('turning the wheel', () => {
  const turn = (deltaY: number, isZoomed: boolean, last = 19) => zoomsAtTurn({ deltaY }, isZoomed, last);

  test('zooms in at any time, and zooms out while the chart is zoomed', () => {
    expect(turn(-100, false)).toBe(true);
    expect(turn(-100, true)).toBe(true);
    expect(turn(100, true)).toBe(true);
  });

  test('scrolls the page if it can neither zoom out nor zoom in', () => {
    expect(turn(100, false)).toBe(false);
    expect(turn(-100, false, 2)).toBe(false);
  });

  test('scrolls the page sideways', () => {
    expect(turn(0, true)).toBe(false);
  });
});
