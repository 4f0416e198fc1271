import type { Chart } from 'chart.js';
import type { ZoomPluginOptions } from 'chartjs-plugin-zoom/types/options';

/** Wheel zoom speed (specification, section 2). */
const WHEEL_SPEED = 0.05;

/**
 * Returns the options of the zoom plugin.
 *
 * @param onZoom called after each zoom and pan
 * @param lastIndex returns the index of the chart's newest point
 */
export function zoomOptions(onZoom: (isZoomed: boolean) => void, lastIndex: () => number): ZoomPluginOptions {
  const reportZoom = ({ chart }: { chart: Chart }) => onZoom(releaseFullZoom(chart));
  const limits = {
    min: 0,
    // A getter, because the chart grows: the plugin's own limit 'original' is that of the zoom's start.
    get max() {
      return lastIndex();
    },
    minRange: 2,
  };
  return {
    limits: { x: limits },
    pan: { enabled: true, mode: 'x', onPan: reportZoom },
    zoom: {
      wheel: { enabled: true, speed: WHEEL_SPEED },
      pinch: { enabled: true },
      mode: 'x',
      onZoom: reportZoom,
    },
  };
}

/**
 * Ends a zoom that shows every point or reaches past the last one: it would keep new readings out of view.
 *
 * @returns whether the chart is still zoomed
 */
export function releaseFullZoom(chart: Chart): boolean {
  const x = (chart.options.scales?.x ?? {}) as { min?: number; max?: number };
  if (!chart.canvas || x.min === undefined || x.max === undefined) return false;
  const last = (chart.data.labels?.length ?? 0) - 1;
  if (x.max <= last && (x.min > 0 || x.max < last)) return true;
  if (x.max === last) {
    // The view stays the same, so there is nothing to draw.
    x.min = undefined;
    x.max = undefined;
  } else {
    chart.resetZoom('none');
  }
  return false;
}
