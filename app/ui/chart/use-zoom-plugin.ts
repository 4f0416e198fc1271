import { Chart } from 'chart.js';
import { type RefObject, useEffect } from 'react';

/** What a person does first: moves a pointer, touches the page, turns a wheel. */
const FIRST_SIGNS = ['pointermove', 'pointerdown', 'wheel'];
/** More turns of the wheel than this, made before the code is there, are not done again. */
const HELD_LIMIT = 20;

let loading: Promise<void> | undefined;
let isLoaded = false;

/**
 * Lets a chart be zoomed and moved. Its code is a tenth of the page's, and most visits only look: it is
 * fetched at the first sign of a person, anywhere on the page. What was done to the chart until the code is
 * there is done again then, so that the first gesture counts.
 */
export function useZoomPlugin(chart: RefObject<Chart<'line'> | null>): void {
  useEffect(() => {
    const canvas = chart.current?.canvas;
    if (!canvas || isLoaded) return;
    const gestures = holdGestures(canvas);
    const waiting = new AbortController();
    const load = async () => {
      waiting.abort();
      const isThere = await loadZoomPlugin();
      // Without it the wheel turns the page again, and the next chart asks once more.
      if (isThere && chart.current?.canvas === canvas) chart.current.update('none');
      gestures.release(isThere);
    };
    for (const sign of FIRST_SIGNS) addEventListener(sign, load, { signal: waiting.signal });
    // The chart before this one has asked for it.
    if (loading) load();
    return () => {
      waiting.abort();
      gestures.release(false);
    };
  }, [chart]);
}

/**
 * Not before a page is open: hammerjs, which the plugin pulls in, touches `window` when it is imported.
 *
 * @returns whether it is there now; a connection that is down is tried again another time
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

/** Keeps turns of the wheel and pressed pointers from a canvas until they are released, to be done again or not. */
function holdGestures(canvas: HTMLCanvasElement): { release(isWanted: boolean): void } {
  const holding = new AbortController();
  const options = { signal: holding.signal, passive: false };
  let turns: WheelEvent[] = [];
  let pressed: PointerEvent[] = [];
  const hold = (turn: WheelEvent) => {
    turn.preventDefault();
    turns = [...turns, turn].slice(-HELD_LIMIT);
  };
  const letGo = ({ pointerId }: PointerEvent) => {
    pressed = pressed.filter((pointer) => pointer.pointerId !== pointerId);
  };
  canvas.addEventListener('wheel', hold, options);
  canvas.addEventListener('pointerdown', (pointer) => pressed.push(pointer), options);
  addEventListener('pointerup', letGo, options);
  addEventListener('pointercancel', letGo, options);
  return {
    release(isWanted) {
      if (holding.signal.aborted) return;
      holding.abort();
      if (!isWanted) return;
      // An event can be dispatched once; its properties are all that another one is made of.
      for (const turn of turns) canvas.dispatchEvent(new WheelEvent(turn.type, turn));
      for (const pointer of pressed) canvas.dispatchEvent(new PointerEvent(pointer.type, pointer));
    },
  };
}
