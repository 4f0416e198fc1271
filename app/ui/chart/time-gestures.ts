import { isSameSpan, type Span } from '../../readings/time/history-span';
import { moveView, zoomView } from './time-view';

/** How a chart with a time axis is moved. Times are milliseconds since 1970. */
export interface MovedChart {
  canvas: HTMLCanvasElement;
  /** Returns the left and the right edge of the time axis, in pixels from the left of the canvas. */
  edges(): { left: number; right: number };
  view(): Span;
  limits(): Span;
  /** Returns the time that is pointed at, null for none. */
  active(): number | null;
  /** Called with the next view at every step of a gesture. */
  onMove(view: Span): void;
  /** Called when a gesture has ended, whether it has moved the view or not. */
  onRest(): void;
}

/** How much a turn of the wheel by one pixel zooms. A notch of 100 pixels shows a quarter less, or a third more. */
const ZOOM_PER_PIXEL = 0.003;

/** Pinching on a touchpad sends turns of few pixels with `ctrlKey`. */
const PINCH_FACTOR = 5;

/** The pixels of a line and of a page, in which some browsers count the turns of a wheel. */
const DELTA_PIXELS = [1, 33, 400];

/** A wheel that turns this many milliseconds after it has scrolled the page goes on scrolling it. */
const SCROLLING_MS = 250;

/** The wheel rests after this many milliseconds without a turn. */
const REST_MS = 300;

/** A pressed pointer that moves fewer pixels than this is a click. */
const CLICK_PIXELS = 4;

/** A press of + or − zooms by this factor. */
const KEY_ZOOM = 1.5;

/**
 * Zooms and moves a chart by wheel, drag, pinch and the keys + and −.
 *
 * @returns a function that stops it
 */
export function followGestures(chart: MovedChart): () => void {
  const { canvas } = chart;
  const listening = new AbortController();
  const { signal } = listening;
  const pressed = new Map<number, { x: number; y: number }>();
  let scrolledAt = Number.NEGATIVE_INFINITY;
  let travelled = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;

  const timePerPixel = () => {
    const { left, right } = chart.edges();
    const { from, to } = chart.view();
    return (to - from) / (right - left);
  };
  const timeAt = (clientX: number) => {
    const x = clientX - canvas.getBoundingClientRect().left - chart.edges().left;
    return chart.view().from + x * timePerPixel();
  };
  /** Returns whether there was anything left to zoom. */
  const zoom = (around: number, factor: number) =>
    show(zoomView(chart.view(), around, factor, chart.limits()));
  const move = (pixels: number) =>
    show(moveView(chart.view(), Math.round(-pixels * timePerPixel()), chart.limits()));
  const show = (next: Span) => {
    if (isSameSpan(next, chart.view())) return false;
    chart.onMove(next);
    return true;
  };
  const restLater = () => {
    clearTimeout(resting);
    resting = setTimeout(chart.onRest, REST_MS);
  };

  const turn = (event: WheelEvent) => {
    if (event.timeStamp - scrolledAt < SCROLLING_MS) {
      scrolledAt = event.timeStamp;
      return;
    }
    const unit = DELTA_PIXELS[event.deltaMode] ?? 1;
    const [x, y] = [event.deltaX * unit, event.deltaY * unit];
    const power = y * ZOOM_PER_PIXEL * (event.ctrlKey ? PINCH_FACTOR : 1);
    const hasMoved = Math.abs(x) > Math.abs(y) ? move(-x) : zoom(timeAt(event.clientX), Math.exp(power));
    if (hasMoved) restLater();
    // Otherwise it scrolls the page: nothing can be zoomed out any more.
    if (hasMoved || event.ctrlKey || y < 0) event.preventDefault();
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (pressed.size === 0) travelled = 0;
    pressed.set(event.pointerId, placeOf(event));
  };
  const drag = (event: PointerEvent) => {
    const before = pressed.get(event.pointerId);
    if (!before) return;
    const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
    const place = placeOf(event);
    const pixels = place.x - before.x;
    if (!other && Math.abs(pixels) + travelled < CLICK_PIXELS) return;
    if (travelled === 0) canvas.setPointerCapture(event.pointerId);
    travelled += distance(before, place);
    pressed.set(event.pointerId, place);
    if (!other) move(pixels);
    // The other finger stays on its time.
    else zoom(timeAt(other.x), distance(before, other) / distance(place, other));
  };
  const release = (event: PointerEvent) => {
    if (pressed.delete(event.pointerId) && pressed.size === 0 && travelled > 0) chart.onRest();
  };
  const pressKey = (event: KeyboardEvent) => {
    const factor = { '+': 1 / KEY_ZOOM, '=': 1 / KEY_ZOOM, '-': KEY_ZOOM }[event.key];
    if (!factor || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { from, to } = chart.view();
    if (zoom(chart.active() ?? (from + to) / 2, factor)) restLater();
  };

  canvas.addEventListener('wheel', turn, { signal, passive: false });
  canvas.addEventListener('pointerdown', press, { signal });
  canvas.addEventListener('pointermove', drag, { signal });
  for (const event of ['pointerup', 'pointercancel'] as const) addEventListener(event, release, { signal });
  canvas.closest('figure')?.addEventListener('keydown', pressKey, { signal });
  addEventListener(
    'wheel',
    ({ target, timeStamp }) => {
      if (target !== canvas) scrolledAt = timeStamp;
    },
    { signal, passive: true },
  );
  return () => {
    listening.abort();
    clearTimeout(resting);
  };
}

const placeOf = ({ clientX: x, clientY: y }: PointerEvent) => ({ x, y });

/** Returns the distance of two places in pixels, at least one: fingers may meet. */
function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}
