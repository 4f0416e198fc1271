import type { Chart, ChartOptions, Plugin } from 'chart.js';
import { type RefObject, useEffect } from 'react';

export type ZoomOptions = NonNullable<NonNullable<ChartOptions<'line'>['plugins']>['zoom']>;

/** How one chart zooms. It shows all of its points until the plugin has loaded. */
export interface ChartZoom {
  plugin: Plugin<'line'>;
  options: { readonly zoom: ZoomOptions | undefined };
  /** Tells whether a turn of the wheel zooms or moves the chart. If not, it scrolls the page. */
  takesTurn(chart: Chart, event: WheelEvent, isFirst: boolean): boolean;
}

const FIRST_EVENTS = ['pointermove', 'pointerdown', 'wheel', 'keydown'];
const HELD_LIMIT = 20;

let loading: Promise<unknown> | undefined;
let isLoaded = false;

/** Returns options of the zoom plugin for the time axis, which are empty until it has loaded. */
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
      // A finger that goes up or down scrolls the page.
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
      // False leaves the event to the page. Pinches have no wheel event.
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
 * Lets a chart be zoomed and panned. The plugin is a tenth of the page's code and most visitors only look, so it is
 * loaded at the first pointer, touch, wheel or key event anywhere on the page. Gestures on the chart until then are held and
 * repeated, so that the first one counts.
 *
 * @param zoom null for a chart that is for looking only
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

/** Loads the plugin. Returns whether it is loaded; after a failure the next call retries. */
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
      // An event can't be dispatched twice, so dispatch copies.
      for (const event of wheelEvents) canvas.dispatchEvent(new WheelEvent(event.type, event));
      for (const event of pressed) canvas.dispatchEvent(new PointerEvent(event.type, event));
    },
  };
}

/** Returns the options of a chart's time axis, in which the plugin keeps the ends of a zoom. */
export function zoomedAxis(chart: Chart): { min?: number; max?: number } {
  // A category axis and a linear one have both members; Chart.js types them apart.
  return (chart.options.scales?.x ?? {}) as { min?: number; max?: number };
}
