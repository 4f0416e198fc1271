import { Chart } from 'chart.js';
import { type RefObject, useEffect } from 'react';

/** What a person does first: moves a pointer, touches the page, turns a wheel. */
const SIGNS = ['pointermove', 'pointerdown', 'wheel'] as const;

let isRegistered = false;

/**
 * Lets a chart be zoomed and moved. Its code is a tenth of the page's, and most visits only look: it is
 * fetched at the first sign of a person, anywhere on the page. What was done to the chart until the code is
 * there is done again then, so that the first gesture counts.
 */
export function useZoomPlugin(chart: RefObject<Chart<'line'> | null>): void {
  useEffect(() => {
    const canvas = chart.current?.canvas;
    if (!canvas || isRegistered) return;
    const listening = new AbortController();
    const options = { signal: listening.signal, passive: false };
    let held: (WheelEvent | PointerEvent)[] = [];
    canvas.addEventListener(
      'wheel',
      (turn) => {
        turn.preventDefault();
        held.push(turn);
      },
      options,
    );
    canvas.addEventListener('pointerdown', (touch) => held.push(touch), options);
    for (const end of ['pointerup', 'pointercancel'] as const) {
      addEventListener(
        end,
        ({ pointerId }) => {
          held = held.filter((event) => !('pointerId' in event && event.pointerId === pointerId));
        },
        options,
      );
    }

    const load = async () => {
      for (const sign of SIGNS) removeEventListener(sign, load);
      // Without the plugin the wheel turns the page again, and the next chart asks once more.
      await registerZoom().catch(() => listening.abort());
      if (listening.signal.aborted) return;
      listening.abort();
      chart.current?.update('none');
      for (const event of held) canvas.dispatchEvent(copyOf(event));
    };
    for (const sign of SIGNS) addEventListener(sign, load, { signal: listening.signal });
    return () => listening.abort();
  }, [chart]);
}

/** Not before a page is open: hammerjs, which the plugin pulls in, touches `window` when it is imported. */
async function registerZoom(): Promise<void> {
  const { default: zoom } = await import('chartjs-plugin-zoom');
  Chart.register(zoom);
  isRegistered = true;
}

/** An event can be dispatched once; its properties are all that another one is made of. */
function copyOf(event: WheelEvent | PointerEvent): Event {
  return 'pointerId' in event ? new PointerEvent(event.type, event) : new WheelEvent(event.type, event);
}
