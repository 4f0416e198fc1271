import type { Chart } from 'chart.js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Span } from '../../../app/readings/time/history-span';
import { historyZoom, viewOf } from '../../../app/ui/chart/history-zoom';
import { loadZoom } from '../../../app/ui/chart/use-zoom';

/** A chart of 1,000 pixels with the axis, the model and the methods that zooming uses. */
function createChart(view: Span) {
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const x: { min?: number; max?: number } = {};
  const scale = { min: view.from, max: view.to };
  return {
    canvas,
    data: { datasets: [{ model: { view, positions: [] } }] },
    options: { scales: { x } },
    scales: { x: scale },
    pan: vi.fn(),
    update: vi.fn(),
    /** Changes the axis as the plugin does before its callback. */
    show(from: number, to: number) {
      Object.assign(x, { min: from, max: to });
      Object.assign(scale, { min: from, max: to });
    },
  };
}

const VIEW = { from: 2_000_000, to: 3_000_000 };
const LIMITS = { from: 0, to: 10_000_000 };
const onMove = vi.fn();
const onRest = vi.fn();
let fake: ReturnType<typeof createChart>;
let chart: Chart<'line'>;
let zoom: ReturnType<typeof historyZoom>;

beforeEach(async () => {
  await loadZoom();
  vi.useFakeTimers();
  onMove.mockReset();
  onRest.mockReset();
  document.body.innerHTML = '';
  open(VIEW);
});

function open(view: Span) {
  fake = createChart(view);
  chart = fake as unknown as Chart<'line'>;
  zoom = historyZoom();
  zoom.follow({ limits: LIMITS, onMove, onRest });
  zoom.listen(chart);
  zoom.plugin.beforeUpdate?.(chart, {} as never, {});
}

/** Returns the options that the plugin receives. */
const options = () => zoom.options.zoom as NonNullable<typeof zoom.options.zoom>;

/** Events of jsdom have their own time, which the test sets. */
function wheelEvent(init: WheelEventInit, timeStamp = 10_000): WheelEvent {
  const event = new WheelEvent('wheel', { bubbles: true, cancelable: true, ...init });
  Object.defineProperty(event, 'timeStamp', { value: timeStamp });
  return event;
}

const turn = (init: WheelEventInit, timeStamp?: number) =>
  options().zoom?.onZoomStart?.({ chart, event: wheelEvent(init, timeStamp), point: { x: 0, y: 0 } });

/** Returns the fraction of the view that is left after zooming in. */
const left = () => 1 - (options().zoom?.wheel?.speed ?? 0);

const step = (from: number, to: number) => {
  fake.show(from, to);
  options().zoom?.onZoom?.({ chart } as never);
};

/** jsdom has no `PointerEvent`. */
const point = (type: string, pointerId = 1) =>
  fake.canvas.dispatchEvent(Object.assign(new MouseEvent(type, { bubbles: true }), { pointerId }));

describe('the wheel', () => {
  test('zooms in proportion to the turn, in pixels and in lines', () => {
    expect(turn({ deltaY: -100 })).toBe(true);
    expect(left()).toBeCloseTo(Math.exp(-0.3));
    turn({ deltaY: -3, deltaMode: 1 });
    expect(left()).toBeCloseTo(Math.exp(-0.297));
  });

  test('zooms more for a pinch on a touchpad, and prevents the zoom of the page', () => {
    turn({ deltaY: -5, ctrlKey: true });
    expect(left()).toBeCloseTo(Math.exp(-0.075));
    open(LIMITS);
    expect(turn({ deltaY: 5, ctrlKey: true })).toBe(true);
  });

  test('scrolls the page when it cannot zoom out further', () => {
    expect(turn({ deltaY: 100 })).toBe(true);
    open(LIMITS);
    expect(turn({ deltaY: 100 })).toBe(false);
    expect(turn({ deltaY: -100 })).toBe(true);
  });

  test('keeps scrolling the page until the wheel has rested', () => {
    document.body.dispatchEvent(wheelEvent({ deltaY: 100 }, 1000));
    for (const time of [1100, 1300, 1500]) expect(turn({ deltaY: 100 }, time)).toBe(false);
    expect(turn({ deltaY: 100 }, 2000)).toBe(true);
  });

  test('moves the chart when turned sideways', () => {
    expect(turn({ deltaX: 50, deltaY: 3 })).toBe(false);
    expect(fake.pan).toHaveBeenCalledWith({ x: -50 }, undefined, 'none');
  });
});

test('keeps the size of a view that reaches beyond the maximum span', () => {
  expect(options().limits?.x).toMatchObject({ min: 0, max: 10_000_000, minRange: 10_000 });
  open({ from: -5, to: 20_000_000 });
  expect(options().limits?.x).toMatchObject({ min: -5, max: 20_000_000 });
});

test('reports each step at once, and the end after a delay', () => {
  step(2_250_000.4, 2_500_000.4);
  step(2_250_000.4, 2_500_000.4);
  step(2_300_000, 2_400_000);
  expect(onMove.mock.calls).toEqual([
    [{ from: 2_250_000, to: 2_500_000 }],
    [{ from: 2_300_000, to: 2_400_000 }],
  ]);
  // The model still has the earlier view.
  expect(viewOf(chart)).toEqual({ from: 2_300_000, to: 2_400_000 });
  expect(onRest).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(onRest.mock.calls).toEqual([[{ from: 2_300_000, to: 2_400_000 }]]);
  expect(viewOf(chart)).toEqual(VIEW);
});

test('a pressed pointer ends its gesture when all pointers are released or cancelled', () => {
  point('pointerdown', 1);
  point('pointerdown', 2);
  step(1_900_000, 2_900_000);
  vi.advanceTimersByTime(1000);
  point('pointercancel', 1);
  vi.advanceTimersByTime(1000);
  expect(onRest).not.toHaveBeenCalled();
  point('pointerup', 2);
  vi.runAllTimers();
  expect(onRest).toHaveBeenCalledTimes(1);
});

test('a drag without movement is not a gesture', () => {
  point('pointerdown');
  step(VIEW.from, VIEW.to);
  point('pointerup');
  vi.runAllTimers();
  expect(onMove).not.toHaveBeenCalled();
  expect(onRest).not.toHaveBeenCalled();
});

test('a change of the view by the page ends a gesture without reporting its end', () => {
  step(2_250_000, 2_500_000);
  zoom.end(chart);
  expect(viewOf(chart)).toEqual(VIEW);
  expect(fake.update).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(onRest).not.toHaveBeenCalled();
});

test('a vertical move of a finger scrolls the page, while a mouse always moves the chart', () => {
  const starts = (event: object) =>
    options().pan?.onPanStart?.({ chart, event, point: { x: 0, y: 0 } } as never);
  expect(starts({ pointerType: 'touch', deltaX: 3, deltaY: -12 })).toBe(false);
  expect(starts({ pointerType: 'touch', deltaX: 12, deltaY: 3 })).toBe(true);
  expect(starts({ pointerType: 'mouse', deltaX: 3, deltaY: -12 })).toBe(true);
});
