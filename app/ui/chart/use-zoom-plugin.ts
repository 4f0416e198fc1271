import { Chart } from 'chart.js';
import { type RefObject, useEffect } from 'react';
import { zoomsAtTurn } from './zoomed-part';

/** The events that a viewer's first action causes. */
const FIRST_EVENTS = ['pointermove', 'pointerdown', 'wheel'];
/** The number of wheel events to repeat once the plugin has loaded. */
const HELD_LIMIT = 20;

let loading: Promise<void> | undefined;
let isLoaded = false;

/**
 * Lets a chart be zoomed and panned. The plugin is a tenth of the page's code and most visitors only look, so
 * it is loaded at the first pointer, touch or wheel event anywhere on the page. Gestures on the chart until
 * then are held and repeated, so that the first one counts.
 */
export function useZoomPlugin(chart: RefObject<Chart<'line'> | null>): void {
  useEffect(() => {
    const canvas = chart.current?.canvas;
    if (!canvas || isLoaded) return;
    const gestures = holdGestures(canvas, () => (chart.current?.data.labels?.length ?? 1) - 1);
    const listening = new AbortController();
    const load = async () => {
      listening.abort();
      const hasLoaded = await loadZoomPlugin();
      if (hasLoaded && chart.current?.canvas === canvas) chart.current.update('none');
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
  }, [chart]);
}

/**
 * Loads the plugin. Not a static import: hammerjs, which the plugin imports, needs `window` at once.
 *
 * @returns whether the plugin is loaded; after a failure the next call retries
 */
async function loadZoomPlugin(): Promise<boolean> {
  loading ??= import('chartjs-plugin-zoom').then(({ default: zoom }) => {
    Chart.register(zoom);
    isLoaded = true;
  });
  await loading.catch(() => {
    loading = undefined;
  });
  return isLoaded;
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
