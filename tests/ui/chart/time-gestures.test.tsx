import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Span } from '../../../app/readings/time/history-span';
import { followGestures } from '../../../app/ui/chart/time-gestures';

/** A chart of 1,000 pixels, of which each is a second at first. */
let view: Span;
let limits: Span;
let canvas: HTMLCanvasElement;
let stop: () => void;
const onRest = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  onRest.mockReset();
  view = { from: 2_000_000, to: 3_000_000 };
  limits = { from: 0, to: 10_000_000 };
  document.body.innerHTML = '<figure><canvas></canvas></figure><p></p>';
  canvas = document.querySelector('canvas') as HTMLCanvasElement;
  canvas.setPointerCapture = () => {};
  stop = followGestures({
    canvas,
    edges: () => ({ left: 0, right: 1000 }),
    view: () => view,
    limits: () => limits,
    active: () => null,
    onMove: (next) => {
      view = next;
    },
    onRest,
  });
  return () => stop();
});

/** jsdom's events have a time of their own, which a test sets. */
function turn(target: Element, options: WheelEventInit, timeStamp = 10_000): WheelEvent {
  const event = new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: 250, ...options });
  Object.defineProperty(event, 'timeStamp', { value: timeStamp });
  target.dispatchEvent(event);
  return event;
}

/** jsdom has no `PointerEvent`. */
function point(type: string, clientX: number, pointerId = 1, button = 0): void {
  const event = new MouseEvent(type, { bubbles: true, clientX, button });
  canvas.dispatchEvent(Object.assign(event, { pointerId }));
}

const length = () => view.to - view.from;

describe('the wheel', () => {
  test('zooms around the pointer, by as much as it is turned, and rests once', () => {
    expect(turn(canvas, { deltaY: -100 }).defaultPrevented).toBe(true);
    expect(length()).toBe(Math.round(1_000_000 * Math.exp(-0.3)));
    expect(view.from + length() / 4).toBeCloseTo(2_250_000, -1);
    turn(canvas, { deltaY: 100 });
    expect(length()).toBeCloseTo(1_000_000, -1);
    expect(onRest).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(onRest).toHaveBeenCalledTimes(1);
  });

  test('scrolls the page when nothing is left to zoom out, and not when nothing is left to zoom in', () => {
    view = limits;
    expect(turn(canvas, { deltaY: 100 }).defaultPrevented).toBe(false);
    view = { from: 0, to: 10_000 };
    expect(turn(canvas, { deltaY: -100 }).defaultPrevented).toBe(true);
    vi.runAllTimers();
    expect(onRest).not.toHaveBeenCalled();
  });

  test('goes on scrolling the page where it has scrolled until now', () => {
    const scrolling = document.querySelector('p') as Element;
    turn(scrolling, { deltaY: 100 }, 1000);
    for (const time of [1100, 1300, 1500])
      expect(turn(canvas, { deltaY: 100 }, time).defaultPrevented).toBe(false);
    expect(length()).toBe(1_000_000);
    turn(canvas, { deltaY: 100 }, 2000);
    expect(length()).toBeGreaterThan(1_000_000);
  });

  test('moves when turned sideways, and counts lines', () => {
    turn(canvas, { deltaX: 50, deltaY: 3 });
    expect(view).toEqual({ from: 2_050_000, to: 3_050_000 });
    turn(canvas, { deltaY: -3, deltaMode: 1 });
    expect(length()).toBe(Math.round(1_000_000 * Math.exp(-0.297)));
  });

  test('zooms the chart when fingers pinch a touchpad, instead of the page', () => {
    view = limits;
    expect(turn(canvas, { deltaY: 5, ctrlKey: true }).defaultPrevented).toBe(true);
    turn(canvas, { deltaY: -5, ctrlKey: true });
    expect(length()).toBe(Math.round(10_000_000 * Math.exp(-0.075)));
  });
});

describe('a pressed pointer', () => {
  test('moves the chart with it, and rests at its release', () => {
    point('pointerdown', 500);
    point('pointermove', 600);
    expect(view).toEqual({ from: 1_900_000, to: 2_900_000 });
    point('pointermove', 550);
    expect(view).toEqual({ from: 1_950_000, to: 2_950_000 });
    expect(onRest).not.toHaveBeenCalled();
    point('pointerup', 550);
    expect(onRest).toHaveBeenCalledTimes(1);
    point('pointermove', 700);
    expect(view.from).toBe(1_950_000);
  });

  test('that hardly moves is a click, and one of another button nothing', () => {
    point('pointerdown', 500);
    point('pointermove', 503);
    point('pointerup', 503);
    point('pointerdown', 500, 1, 2);
    point('pointermove', 600);
    point('pointerup', 600);
    expect(view.from).toBe(2_000_000);
    expect(onRest).not.toHaveBeenCalled();
  });

  test('zooms with a second one, which stays on its time, and rests when both are gone', () => {
    point('pointerdown', 500, 1);
    point('pointerdown', 600, 2);
    point('pointermove', 700, 2);
    expect(view).toEqual({ from: 2_250_000, to: 2_750_000 });
    point('pointermove', 300, 1);
    expect(length()).toBe(250_000);
    expect(view.from + 0.7 * length()).toBe(2_600_000);
    point('pointerup', 300, 1);
    expect(onRest).not.toHaveBeenCalled();
    point('pointercancel', 700, 2);
    expect(onRest).toHaveBeenCalledTimes(1);
  });
});

test('plus and minus zoom around the middle, without modifiers', () => {
  const press = (key: string, options = {}) =>
    canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options }));
  press('+', { ctrlKey: true });
  expect(length()).toBe(1_000_000);
  expect(press('+')).toBe(false);
  expect(length()).toBe(Math.round(1_000_000 / 1.5));
  expect(view.from + length() / 2).toBeCloseTo(2_500_000, -1);
  press('-');
  expect(length()).toBeCloseTo(1_000_000, -1);
  expect(press('ArrowLeft')).toBe(true);
  vi.runAllTimers();
  expect(onRest).toHaveBeenCalledTimes(1);
});

test('nothing moves once it has stopped', () => {
  turn(canvas, { deltaY: -100 });
  stop();
  const stopped = view;
  turn(canvas, { deltaY: -100 });
  vi.runAllTimers();
  expect(view).toBe(stopped);
  expect(onRest).not.toHaveBeenCalled();
});
