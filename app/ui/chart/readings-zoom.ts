import type { Chart } from 'chart.js';
import type { ChartPoint } from '../../readings/chart/chart-series';
import { modelOf } from './chart-model';
import { type ChartZoom, zoomedAxis, zoomOptions } from './use-zoom';

export interface ReadingsZoom extends ChartZoom {
  reset(chart: Chart<'line'>): void;
}

/** The indices of the first and the last point in view. */
export interface PointWindow {
  min: number;
  max: number;
}

/**
 * The part of the history that a zoom shows: the time between two points, or a number of newest readings, which it
 * follows. Indices alone wouldn't do: new readings move the points of a full history, and averaging makes fewer of
 * them.
 */
export type ZoomedPart = { from: string; to: string } | { newest: number };

/** Each turn of the wheel shows a twentieth less or more, however far it is turned. */
const WHEEL_SPEED = 0.05;

const MIN_WIDTH = 2;

/** Creates the zoom of a chart. The plugin knows indices; the times are kept here. `onZoom` gets false at its end. */
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
        // A getter, because the chart grows: the plugin's own limit 'original' is that of the zoom's start.
        get max() {
          return points.length - 1;
        },
        minRange: MIN_WIDTH,
      },
      takesTurn: (_, event) => zoomsAtTurn(event, part !== null, points.length - 1),
      onMove(chart) {
        const x = zoomedAxis(chart);
        const last = points.length - 1;
        // The plugin places its narrowest window between points.
        const window = { min: Math.round(x.min ?? 0), max: Math.round(x.max ?? last) };
        setPart(zoomedPart(points, window));
        // When a zoom ends the view stays the same, so there is nothing to draw.
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
        // By now Chart.js has read the axis's old limits: start the update again.
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

/** Returns false where the wheel scrolls the page: nothing to zoom out of, or too few points. `last` is an index. */
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
 * Finds a part of the history among points that may be newer, or grouped differently. Its edges are the points that
 * are nearest in time. A part that follows the newest reading keeps its width.
 *
 * @returns null if the part is gone, or if there is nothing else to show: the zoom ends
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

/** Returns the number of readings in a whole group; gaps and the end of the history cut groups short. */
function groupSize(points: readonly ChartPoint[]): number {
  return Math.max(...points.map(({ readings }) => readings));
}

/** Returns the index of the point that begins nearest to a time; the earlier of two that are equally near. */
function nearestIndex(points: readonly ChartPoint[], time: string): number {
  const distances = points.map(({ from }) => Math.abs(Date.parse(from) - Date.parse(time)));
  return distances.indexOf(Math.min(...distances));
}

/** Sets the window for the chart's next update; null shows all points. Returns whether it has changed. */
function setWindow(chart: Chart, window: PointWindow | null): boolean {
  const x = zoomedAxis(chart);
  if (x.min === window?.min && x.max === window?.max) return false;
  x.min = window?.min;
  x.max = window?.max;
  return true;
}
