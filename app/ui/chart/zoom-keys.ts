import type { Chart } from 'chart.js';
import { loadZoom } from './use-zoom';

const KEY_ZOOM = 1.5;

const KEYS: Partial<Record<string, number>> = { '+': 1 / KEY_ZOOM, '=': 1 / KEY_ZOOM, '-': KEY_ZOOM };

/**
 * Zooms a chart by the keys plus and minus, around its active point or its middle.
 *
 * @param positionOf returns the value on the x axis of a point
 * @param signal ends the listening
 */
export function listenForZoomKeys(
  chart: Chart<'line'>,
  positionOf: (index: number) => number,
  signal: AbortSignal,
): void {
  const pressKey = async (event: KeyboardEvent) => {
    const factor = KEYS[event.key];
    if (!factor || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!(await loadZoom()) || signal.aborted) return;
    // The plugin initializes a chart at its next update.
    if (!Object.hasOwn(chart, 'zoom')) chart.update('none');
    zoomBy(chart, factor, positionOf);
  };
  chart.canvas.closest('figure')?.addEventListener('keydown', pressKey, { signal });
}

function zoomBy(chart: Chart<'line'>, factor: number, positionOf: (index: number) => number): void {
  const { x } = chart.scales;
  const [active] = chart.getActiveElements();
  const { left, right, top } = chart.chartArea;
  const pixel = x && active && x.getPixelForValue(positionOf(active.index));
  chart.zoom({ x: 2 - factor, focalPoint: { x: pixel ?? (left + right) / 2, y: top } }, 'none');
}
