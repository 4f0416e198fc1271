import { act, renderHook } from '@testing-library/react';
import type { Chart } from 'chart.js';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Span } from '../../../app/readings/time/history-span';
import { useMovedView } from '../../../app/ui/chart/use-moved-view';

const HOUR = 3_600_000;
const FIRST = { from: 0, to: HOUR };
const LIMITS = { from: 0, to: 100 * HOUR };

let canvas: HTMLCanvasElement;
const onMove = vi.fn();
const onRest = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  onMove.mockReset();
  onRest.mockReset();
  canvas = document.body.appendChild(document.createElement('canvas'));
  return () => canvas.remove();
});

/** Renders the hook for a chart of 1,000 pixels, for a page that gives a view. */
function renderView(view: Span = FIRST, isFixed = false) {
  const chart = { current: { canvas, chartArea: { left: 0, right: 1000 }, getActiveElements: () => [] } };
  const hook = renderHook(
    (given: { view: Span; isMoving: boolean }) =>
      useMovedView(
        chart as unknown as React.RefObject<Chart<'line'>>,
        { ...given, limits: LIMITS, onMove, onRest },
        isFixed,
      ),
    { initialProps: { view, isMoving: false } },
  );
  return {
    ...hook,
    rerender: (view: Span, isMoving = false) => hook.rerender({ view, isMoving }),
  };
}

/** Turns the wheel, which zooms in. */
const turn = () =>
  act(() => {
    const event = new WheelEvent('wheel', { deltaY: -100, clientX: 0 });
    Object.defineProperty(event, 'timeStamp', { value: 10_000 });
    canvas.dispatchEvent(event);
  });

const rest = () => act(() => vi.runAllTimers());
const zoomed = (view: Span, turns = 1) => {
  let to = view.to;
  for (let i = 0; i < turns; i++) to = Math.round(to * Math.exp(-0.3));
  return { from: 0, to };
};

test('a gesture is shown at once, and the page is told of each step and of its end', () => {
  const { result } = renderView();
  turn();
  turn();
  expect(result.current).toEqual([zoomed(FIRST, 2), true]);
  expect(onMove.mock.calls).toEqual([[zoomed(FIRST)], [zoomed(FIRST, 2)]]);
  rest();
  expect(result.current).toEqual([zoomed(FIRST, 2), false]);
  expect(onRest.mock.calls).toEqual([[zoomed(FIRST, 2)]]);
});

test('turns before the next rendering add up', () => {
  const { result } = renderView();
  act(() => {
    for (let i = 0; i < 3; i++) {
      const event = new WheelEvent('wheel', { deltaY: -100, clientX: 0 });
      Object.defineProperty(event, 'timeStamp', { value: 10_000 });
      canvas.dispatchEvent(event);
    }
  });
  expect(result.current[0]).toEqual(zoomed(FIRST, 3));
});

test("a page that follows late doesn't pull the chart back", () => {
  const { result, rerender } = renderView();
  turn();
  turn();
  rerender(zoomed(FIRST));
  expect(result.current[0]).toEqual(zoomed(FIRST, 2));
  rest();
  expect(result.current[0]).toEqual(zoomed(FIRST, 2));
  rerender(zoomed(FIRST, 2));
  expect(result.current[0]).toEqual(zoomed(FIRST, 2));
});

test('another view of the page replaces that of a gesture which has ended', () => {
  const { result, rerender } = renderView();
  turn();
  rest();
  const next = { from: 5 * HOUR, to: 6 * HOUR };
  rerender(next);
  expect(result.current[0]).toEqual(next);
});

test('a page that goes to another view ends a gesture that has not come to rest', () => {
  const { result, rerender } = renderView();
  turn();
  rerender(zoomed(FIRST), true);
  turn();
  const next = { from: 5 * HOUR, to: 6 * HOUR };
  rerender(next, false);
  expect(result.current).toEqual([next, false]);
  rest();
  expect(result.current).toEqual([next, false]);
  expect(onRest).not.toHaveBeenCalled();
});

test('a chart for looking only follows no gesture', () => {
  const { result } = renderView(FIRST, true);
  turn();
  expect(result.current).toEqual([FIRST, false]);
  expect(onMove).not.toHaveBeenCalled();
});
