import type { Chart } from 'chart.js';
import { isSameSpan, SHORTEST_MS, type Span } from '../../readings/time/history-span';
import { historyModelOf } from './history-model';
import { type ChartZoom, zoomedAxis, zoomOptions } from './use-zoom';
import { HISTORY_WHEEL_SPEED, PINCH_FACTOR } from './wheel-speed';
import { listenForZoomKeys } from './zoom-keys';

/** The page's callbacks and limits for a chart that the viewer moves. Times are milliseconds since 1970. */
export interface ViewFollower {
  /** The limits of the view. A view that is already beyond them may stay there. */
  limits: Span;
  onMove(view: Span): void;
  /** Called with the last view after a gesture that has moved it. */
  onRest(view: Span): void;
}

export interface HistoryZoom extends ChartZoom {
  follow(follower: ViewFollower): void;
  /** Handles a chart's pointers and keys until the returned function is called. */
  listen(chart: Chart<'line'>): () => void;
  /** Ends an unfinished gesture, and shows the page's view. */
  end(chart: Chart<'line'>): void;
}

/** Pixels per unit of `WheelEvent.deltaMode`: pixel, line, page. */
const DELTA_PIXELS = [1, 33, 400];

/** A wheel event within this time after a scroll continues to scroll the page. */
const SCROLLING_MS = 250;

const REST_MS = 300;

/** Creates the zoom of a time axis. During a gesture, the axis's options hold the view; otherwise the model does. */
export function historyZoom(): HistoryZoom {
  let follower: ViewFollower | undefined;
  let moved: Span | null = null;
  /** The pressed pointers on the chart. The chart doesn't come to rest while there are any. */
  const pressed = new Map<number, Place>();
  let resting: ReturnType<typeof setTimeout> | undefined;
  let scrolledAt = Number.NEGATIVE_INFINITY;
  let reach: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  /** Set for each wheel event, because the zoom is proportional to the movement. */
  const wheel = { speed: 0 };

  const move = (chart: Chart) => {
    const { x } = chart.scales;
    if (!x) return;
    const from = Math.round(x.min);
    const view = { from, to: from + Math.round(x.max - x.min) };
    if (!moved && isSameSpan(view, historyModelOf(chart).view)) dropView(chart);
    else if (!moved || !isSameSpan(view, moved)) {
      moved = view;
      follower?.onMove(view);
    }
    if (moved && pressed.size === 0) restIn(REST_MS, chart);
  };
  const restIn = (ms: number, chart: Chart) => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      const view = moved;
      stop(chart);
      if (view) follower?.onRest(view);
    }, ms);
  };
  const stop = (chart: Chart) => {
    clearTimeout(resting);
    moved = null;
    dropView(chart);
  };
  const takesTurn = (chart: Chart, event: WheelEvent) => {
    if (event.timeStamp - scrolledAt < SCROLLING_MS) {
      scrolledAt = event.timeStamp;
      return false;
    }
    if (isSideways(event) || event.deltaY <= 0 || event.ctrlKey) return true;
    const view = viewOf(chart);
    return view.from > reach.from || view.to < reach.to;
  };

  return {
    options: zoomOptions({
      wheel,
      limits: {
        get min() {
          return reach.from;
        },
        get max() {
          return reach.to;
        },
        minRange: SHORTEST_MS,
      },
      takesTurn(chart, event) {
        if (!takesTurn(chart, event)) return false;
        const pixels = DELTA_PIXELS[event.deltaMode] ?? 1;
        if (isSideways(event)) {
          event.preventDefault();
          chart.pan({ x: -event.deltaX * pixels }, undefined, 'none');
          return false;
        }
        const power = event.deltaY * pixels * HISTORY_WHEEL_SPEED * (event.ctrlKey ? PINCH_FACTOR : 1);
        wheel.speed = 1 - Math.exp(-Math.abs(power));
        return true;
      },
      onMove: move,
    }),
    takesTurn,
    plugin: {
      id: 'history-zoom',
      beforeUpdate(chart) {
        const { view } = historyModelOf(chart);
        const limits = follower?.limits ?? view;
        reach = { from: Math.min(view.from, limits.from), to: Math.max(view.to, limits.to) };
      },
    },
    follow(next) {
      follower = next;
    },
    listen(chart) {
      const { canvas } = chart;
      const listening = new AbortController();
      const { signal } = listening;
      const release = ({ pointerId }: PointerEvent) => {
        // A timer, so that the plugin's own listeners run first; the last one still zooms.
        if (pressed.delete(pointerId) && pressed.size === 0 && moved) restIn(0, chart);
      };
      const noteScrolling = ({ target, timeStamp }: WheelEvent) => {
        if (target !== canvas) scrolledAt = timeStamp;
      };
      const pinch = ({ pointerId, clientX: x, clientY: y }: PointerEvent) => {
        const before = pressed.get(pointerId);
        const other = [...pressed].find(([id]) => id !== pointerId)?.[1];
        if (!before) return;
        pressed.set(pointerId, { x, y });
        if (!other || !isSteep({ x, y }, other) || !Object.hasOwn(chart, 'zoom')) return;
        const focalPoint = {
          x: (x + other.x) / 2 - canvas.getBoundingClientRect().left,
          y: chart.chartArea.top,
        };
        chart.zoom({ x: distance({ x, y }, other) / distance(before, other), focalPoint }, 'none');
      };
      canvas.addEventListener('pointermove', pinch, { signal });
      canvas.addEventListener(
        'pointerdown',
        ({ pointerId, clientX: x, clientY: y }) => pressed.set(pointerId, { x, y }),
        { signal },
      );
      for (const event of ['pointerup', 'pointercancel'] as const)
        addEventListener(event, release, { signal });
      listenForZoomKeys(chart, (index) => historyModelOf(chart).positions[index] ?? Number.NaN, signal);
      addEventListener('wheel', noteScrolling, { signal, passive: true });
      return () => {
        listening.abort();
        clearTimeout(resting);
      };
    },
    end(chart) {
      if (!moved) return;
      stop(chart);
      chart.update('none');
    },
  };
}

interface Place {
  x: number;
  y: number;
}

/** Returns true if one finger is above the other. The plugin ignores such a pinch, because it seems meant for the y axis. */
const isSteep = (a: Place, b: Place) => Math.abs(a.x - b.x) <= 0.3 * Math.abs(a.y - b.y);

const distance = (a: Place, b: Place) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));

const isSideways = ({ deltaX, deltaY }: WheelEvent) => Math.abs(deltaX) > Math.abs(deltaY);

/** Returns a chart's current view: that of the current gesture, or of the model. */
export function viewOf(chart: Chart): Span {
  const { view } = historyModelOf(chart);
  const { min: from = view.from, max: to = view.to } = zoomedAxis(chart);
  return { from, to };
}

/** Makes the chart's next update show the model's view. */
function dropView(chart: Chart): void {
  const x = zoomedAxis(chart);
  x.min = undefined;
  x.max = undefined;
}
