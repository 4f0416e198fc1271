import { Chart, type ChartOptions, type Plugin } from 'chart.js';
import zoomPlugin from 'chartjs-plugin-zoom';
import type { ChartPoint } from '../../readings/chart/chart-series';
import { modelOf } from './chart-data';
import { MIN_WIDTH, zoomsAtTurn } from './wheel-turn';
import { placePart, type ZoomedPart, zoomedPart } from './zoomed-part';

Chart.register(zoomPlugin);

/** Wheel zoom speed (specification, section 2). */
const WHEEL_SPEED = 0.05;

/** The zoom of one chart. */
export interface ChartZoom {
  /** Options of the zoom plugin. */
  options: NonNullable<NonNullable<ChartOptions<'line'>['plugins']>['zoom']>;
  /** Keeps the zoom on its times when the chart gets new points. Called before each update. */
  beforeUpdate: NonNullable<Plugin<'line'>['beforeUpdate']>;
  /** Shows all points. */
  reset(chart: Chart<'line'>): void;
}

/**
 * Creates the zoom of a chart. The zoom plugin zooms in indices of points; the times that it shows are kept here.
 *
 * @param onChange called with true after each zoom and pan, and with false when the zoom ends
 */
export function chartZoom(onChange: (isZoomed: boolean) => void): ChartZoom {
  let part: ZoomedPart | null = null;
  /** The points among which the chart's indices place the zoom. */
  let points: readonly ChartPoint[] = [];

  const setPart = (next: ZoomedPart | null) => {
    part = next;
    onChange(next !== null);
  };
  const remember = ({ chart }: { chart: Chart }) => {
    const x = axisOf(chart);
    const last = points.length - 1;
    // The plugin places its narrowest window between points.
    const window = { min: Math.round(x.min ?? 0), max: Math.round(x.max ?? last) };
    setPart(zoomedPart(points, window));
    // When a zoom ends the view stays the same, so there is nothing to draw.
    if (setWindow(chart, part && window) && part) chart.update('none');
  };

  return {
    options: {
      limits: {
        x: {
          min: 0,
          // A getter, because the chart grows: the plugin's own limit 'original' is that of the zoom's start.
          get max() {
            return points.length - 1;
          },
          minRange: MIN_WIDTH,
        },
      },
      pan: { enabled: true, mode: 'x', onPan: remember },
      zoom: {
        wheel: { enabled: true, speed: WHEEL_SPEED },
        pinch: { enabled: true },
        mode: 'x',
        // False leaves the event to the page. Pinches have no wheel event.
        onZoomStart: ({ event }) =>
          !(event instanceof WheelEvent) || zoomsAtTurn(event, part !== null, points.length - 1),
        onZoom: remember,
      },
    },
    beforeUpdate(chart, { mode }) {
      const shown = modelOf(chart).points;
      const isNew = shown !== points;
      points = shown;
      if (!isNew || !part) return;
      const window = placePart(points, part);
      if (!window) setPart(null);
      if (!setWindow(chart, window)) return;
      // By now Chart.js has read the axis's old limits: start the update again.
      chart.update(mode);
      return false;
    },
    reset(chart) {
      setPart(null);
      setWindow(chart, null);
      chart.update('none');
    },
  };
}

function axisOf(chart: Chart): { min?: number; max?: number } {
  return (chart.options.scales?.x ?? {}) as { min?: number; max?: number };
}

/** Sets the window for the chart's next update; null shows all points. Returns whether it has changed. */
function setWindow(chart: Chart, window: { min: number; max: number } | null): boolean {
  const x = axisOf(chart);
  if (x.min === window?.min && x.max === window?.max) return false;
  x.min = window?.min;
  x.max = window?.max;
  return true;
}
