import type { Chart, Plugin } from 'chart.js';
import { type RefObject, useEffect } from 'react';
import type { ChartZoom } from './chart-zoom';
import { zoomsAtTurn } from './wheel-turn';

/** The events that a viewer's first action causes. */
const FIRST_EVENTS = ['pointermove', 'pointerdown', 'wheel'];
/** The number of wheel events to repeat once the plugin has loaded. */
const HELD_LIMIT = 20;

let loading: Promise<void> | undefined;
let loaded: typeof import('./chart-zoom') | undefined;

/**
 * Lets a chart be zoomed and panned. The code for that is a tenth of the page's and most visitors only look, so
 * it is loaded at the first pointer, touch or wheel event anywhere on the page. Gestures on the chart until
 * then are held and repeated, so that the first one counts.
 */
export function useZoom(chart: RefObject<Chart<'line'> | null>, zoom: LazyZoom): void {
  useEffect(() => {
    const canvas = chart.current?.canvas;
    if (!canvas || loaded) return;
    const gestures = holdGestures(canvas, () => (chart.current?.data.labels?.length ?? 1) - 1);
    const listening = new AbortController();
    const load = async () => {
      listening.abort();
      const hasLoaded = await loadZoom();
      if (hasLoaded && chart.current?.canvas === canvas) zoom.start(chart.current);
      // If loading failed, the wheel scrolls the page again and the next chart retries.
      gestures.release(hasLoaded);
    };
    for (const event of FIRST_EVENTS) addEventListener(event, load, { signal: listening.signal });
    // Another chart of this page has started loading it.
    if (loading) load();
    return () => {
      listening.abort();
      gestures.release(false);
    };
  }, [chart, zoom]);
}

/** The zoom of one chart, which shows all of its points until the code for zooming has loaded. */
export interface LazyZoom {
  /** The options of the plugins of the chart. */
  options: { readonly zoom: ChartZoom['options'] | undefined };
  plugin: Plugin<'line'>;
  /** Lets the chart be zoomed, once the code has loaded. */
  start(chart: Chart<'line'>): void;
  /** Shows all points. */
  reset(chart: Chart<'line'>): void;
}

/** @param onZoom called with true after each zoom and pan, and with false when the zoom ends */
export function lazyZoom(onZoom: (isZoomed: boolean) => void): LazyZoom {
  let zoom = loaded?.chartZoom(onZoom);
  return {
    options: {
      get zoom() {
        return zoom?.options;
      },
    },
    plugin: {
      id: 'zoomed-part',
      beforeUpdate: (chart, args, options) => zoom?.beforeUpdate(chart, args, options),
    },
    start(chart) {
      zoom ??= loaded?.chartZoom(onZoom);
      chart.update('none');
    },
    reset: (chart) => zoom?.reset(chart),
  };
}

/**
 * Loads the code for zooming. Not a static import: hammerjs, which the plugin imports, needs `window` at once.
 *
 * @returns whether it is loaded; after a failure the next call retries
 */
async function loadZoom(): Promise<boolean> {
  loading ??= import('./chart-zoom').then((module) => {
    loaded = module;
  });
  await loading.catch(() => {
    loading = undefined;
  });
  return loaded !== undefined;
}

/**
 * Holds back wheel events and pressed pointers from a canvas until they are released, and repeated or not.
 *
 * @param last returns the index of the chart's last point
 */
function holdGestures(canvas: HTMLCanvasElement, last: () => number): { release(repeat: boolean): void } {
  const holding = new AbortController();
  const options = { signal: holding.signal, passive: false };
  let wheelEvents: WheelEvent[] = [];
  let pressed: PointerEvent[] = [];
  const holdWheel = (event: WheelEvent) => {
    if (!zoomsAtTurn(event, wheelEvents.length > 0, last())) return;
    event.preventDefault();
    wheelEvents = [...wheelEvents, event].slice(-HELD_LIMIT);
  };
  const dropPointer = ({ pointerId }: PointerEvent) => {
    pressed = pressed.filter((pointer) => pointer.pointerId !== pointerId);
  };
  canvas.addEventListener('wheel', holdWheel, options);
  canvas.addEventListener('pointerdown', (event) => pressed.push(event), options);
  addEventListener('pointerup', dropPointer, options);
  addEventListener('pointercancel', dropPointer, options);
  return {
    release(repeat) {
      if (holding.signal.aborted) return;
      holding.abort();
      if (!repeat) return;
      // An event can't be dispatched twice, so dispatch copies.
      for (const event of wheelEvents) canvas.dispatchEvent(new WheelEvent(event.type, event));
      for (const event of pressed) canvas.dispatchEvent(new PointerEvent(event.type, event));
    },
  };
}
