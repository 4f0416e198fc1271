import type { Chart, ChartOptions, Plugin } from 'chart.js';
import { type RefObject, useEffect } from 'react';

export type ZoomOptions = NonNullable<NonNullable<ChartOptions<'line'>['plugins']>['zoom']>;

/** The zoom of one chart. Has no effect until the plugin has loaded. */
export interface ChartZoom {
  plugin: Plugin<'line'>;
  options: { readonly zoom: ZoomOptions | undefined };
  /** Returns true if a wheel event zooms or moves the chart; otherwise it scrolls the page. */
  takesTurn(chart: Chart, event: WheelEvent, isFirst: boolean): boolean;
}

const FIRST_EVENTS = ['pointermove', 'pointerdown', 'wheel', 'keydown'];
const HELD_LIMIT = 20;

let loading: Promise<unknown> | undefined;
let isLoaded = false;

/** Returns the zoom plugin's options for the time axis. They are undefined until the plugin has loaded. */
export function zoomOptions(own: {
  wheel: { speed: number };
  limits: NonNullable<NonNullable<ZoomOptions['limits']>['x']>;
  takesTurn(chart: Chart, event: WheelEvent): boolean;
  onMove(chart: Chart): void;
}): ChartZoom['options'] {
  const onMove = ({ chart }: { chart: Chart }) => own.onMove(chart);
  const zoom: ZoomOptions = {
    limits: { x: own.limits },
    pan: {
      enabled: true,
      mode: 'x',
      // A vertical swipe scrolls the page.
      onPanStart: ({ event }) =>
        event.pointerType === 'mouse' || Math.abs(event.deltaX) > Math.abs(event.deltaY),
      onPan: onMove,
    },
    zoom: {
      wheel: {
        enabled: true,
        get speed() {
          return own.wheel.speed;
        },
      },
      pinch: { enabled: true },
      mode: 'x',
      // Returning false leaves the event to the page. A pinch isn't a wheel event.
      onZoomStart: ({ chart, event }) => !(event instanceof WheelEvent) || own.takesTurn(chart, event),
      onZoom: onMove,
    },
  };
  return {
    get zoom() {
      return isLoaded ? zoom : undefined;
    },
  };
}

/**
 * Makes a chart zoomable. The plugin is a tenth of the page's code and most visitors only look, so it is loaded at the first
 * pointer, touch, wheel or key event on the page. Gestures on the chart are held and replayed once it has loaded.
 *
 * @param zoom null for a chart without zoom
 */
export function useZoom(chart: RefObject<Chart<'line'> | null>, zoom: ChartZoom | null): void {
  useEffect(() => {
    const drawn = chart.current;
    if (!drawn || !zoom || isLoaded) return;
    const gestures = holdGestures(drawn, zoom);
    const listening = new AbortController();
    const load = async () => {
      listening.abort();
      const hasLoaded = await loadZoom();
      if (hasLoaded && chart.current === drawn) drawn.update('none');
      // After a failure, the wheel scrolls the page again, and the next chart retries loading.
      gestures.release(hasLoaded);
    };
    for (const event of FIRST_EVENTS) addEventListener(event, load, { signal: listening.signal });
    // Another chart on this page has already started loading.
    if (loading) load();
    return () => {
      listening.abort();
      gestures.release(false);
    };
  }, [chart, zoom]);
}

/** Loads the plugin. Returns true if it is loaded. After a failure, the next call retries. */
export async function loadZoom(): Promise<boolean> {
  loading ??= import('./chart-zoom').then(() => {
    isLoaded = true;
  });
  await loading.catch(() => {
    loading = undefined;
  });
  return isLoaded;
}

function holdGestures(chart: Chart<'line'>, zoom: ChartZoom): { release(repeat: boolean): void } {
  const { canvas } = chart;
  const holding = new AbortController();
  const options = { signal: holding.signal, passive: false };
  let wheelEvents: WheelEvent[] = [];
  let pressed: PointerEvent[] = [];
  const holdWheel = (event: WheelEvent) => {
    if (!zoom.takesTurn(chart, event, wheelEvents.length === 0)) return;
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
      // Dispatch copies, because an event can't be dispatched twice.
      for (const event of wheelEvents) canvas.dispatchEvent(new WheelEvent(event.type, event));
      for (const event of pressed) canvas.dispatchEvent(new PointerEvent(event.type, event));
    },
  };
}

/** Returns the options of a chart's time axis, in which the plugin stores the zoom's limits. */
export function zoomedAxis(chart: Chart): { min?: number; max?: number } {
  // Both category and linear axes have these members, but Chart.js types them separately.
  return (chart.options.scales?.x ?? {}) as { min?: number; max?: number };
}
