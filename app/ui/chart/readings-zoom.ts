import type { Chart } from 'chart.js';
import type { ChartPoint } from '../../readings/chart/chart-series';
import { modelOf } from './chart-model';
import { type ChartZoom, zoomedAxis, zoomOptions } from './use-zoom';
import { WHEEL_SPEED } from './wheel-speed';

export interface ReadingsZoom extends ChartZoom {
  reset(chart: Chart<'line'>): void;
}

/** The indices of the first and last point in view. */
export interface PointWindow {
  min: number;
  max: number;
}

/**
 * The zoomed part of the history: the time between two points, or a number of newest readings, which moves on with new ones.
 * Indices aren't enough, because new readings shift the points of a full history, and averaging reduces their number.
 */
export type ZoomedPart = { from: string; to: string } | { newest: number };

const MIN_WIDTH = 2;

/** Creates the zoom of a chart. Keeps times, while the plugin uses indices. Calls `onZoom` with false when the zoom ends. */
export function readingsZoom(onZoom: (isZoomed: boolean) => void): ReadingsZoom {
  let part: ZoomedPart | null = null;
  let points: readonly ChartPoint[] = [];

  const setPart = (next: ZoomedPart | null) => {
    part = next;
    onZoom(next !== null);
  };

  return {
    options: zoomOptions({
      wheel: { speed: WHEEL_SPEED },
      limits: {
        min: 0,
        // A getter, because the chart grows. The plugin's limit 'original' would be fixed when the zoom starts.
        get max() {
          return points.length - 1;
        },
        minRange: MIN_WIDTH,
      },
      takesTurn: (_, event) => zoomsAtTurn(event, part !== null, points.length - 1),
      onMove(chart) {
        const x = zoomedAxis(chart);
        const last = points.length - 1;
        // At its narrowest, the plugin's window may start between points.
        const window = { min: Math.round(x.min ?? 0), max: Math.round(x.max ?? last) };
        setPart(zoomedPart(points, window));
        // The end of a zoom doesn't change the view, so it needs no drawing.
        if (setWindow(chart, part && window) && part) chart.update('none');
      },
    }),
    takesTurn: (chart, event, isFirst) => zoomsAtTurn(event, !isFirst, (chart.data.labels?.length ?? 1) - 1),
    plugin: {
      id: 'readings-zoom',
      beforeUpdate(chart, { mode }) {
        const shown = modelOf(chart).points;
        const isNew = shown !== points;
        points = shown;
        if (!isNew || !part) return;
        const window = placePart(points, part);
        if (!window) setPart(null);
        if (!setWindow(chart, window)) return;
        // Chart.js has already read the axis's old limits, so restart the update.
        chart.update(mode);
        return false;
      },
    },
    reset(chart) {
      setPart(null);
      setWindow(chart, null);
      chart.update('none');
    },
  };
}

/** Returns false if the wheel scrolls the page: there is no zoom to leave, or too few points. `last` is the last index. */
export function zoomsAtTurn(
  { deltaY }: Pick<WheelEvent, 'deltaY'>,
  isZoomed: boolean,
  last: number,
): boolean {
  return deltaY < 0 ? last > MIN_WIDTH : deltaY > 0 && isZoomed;
}

/** Returns the part of the history that a window shows; null if it shows every point. */
export function zoomedPart(points: readonly ChartPoint[], { min, max }: PointWindow): ZoomedPart | null {
  const [first, last] = [points[min], points[max]];
  if (!first || !last || isFull(points, { min, max })) return null;
  if (max < points.length - 1) return { from: first.from, to: last.from };
  return { newest: (max - min) * groupSize(points) };
}

/**
 * Finds a zoomed part among points that may be newer or grouped differently. Its edges are the points nearest in time. A part
 * that follows the newest reading keeps its width.
 *
 * @returns null if the zoom ends: the part is gone, or it would show every point
 */
export function placePart(points: readonly ChartPoint[], part: ZoomedPart): PointWindow | null {
  const oldest = points[0];
  if (!oldest) return null;
  const last = points.length - 1;
  if ('newest' in part) {
    const width = Math.max(MIN_WIDTH, Math.round(part.newest / groupSize(points)));
    return width < last ? { min: last - width, max: last } : null;
  }
  if (Date.parse(part.to) < Date.parse(oldest.from)) return null;
  const min = Math.max(0, Math.min(nearestIndex(points, part.from), last - MIN_WIDTH));
  const max = Math.max(nearestIndex(points, part.to), min + MIN_WIDTH);
  return isFull(points, { min, max }) ? null : { min, max };
}

function isFull(points: readonly ChartPoint[], { min, max }: PointWindow): boolean {
  return min <= 0 && max >= points.length - 1;
}

/** Returns the number of readings in a full group. Groups before a gap and at the end may be shorter. */
function groupSize(points: readonly ChartPoint[]): number {
  return Math.max(...points.map(({ readings }) => readings));
}

/** Returns the index of the point whose start is nearest to a time; the earlier one if two are equally near. */
function nearestIndex(points: readonly ChartPoint[], time: string): number {
  const distances = points.map(({ from }) => Math.abs(Date.parse(from) - Date.parse(time)));
  return distances.indexOf(Math.min(...distances));
}

/** Sets the window for the chart's next update; null shows all points. Returns true if it has changed. */
function setWindow(chart: Chart, window: PointWindow | null): boolean {
  const x = zoomedAxis(chart);
  if (x.min === window?.min && x.max === window?.max) return false;
  x.min = window?.min;
  x.max = window?.max;
  return true;
}
