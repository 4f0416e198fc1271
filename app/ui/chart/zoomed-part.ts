import type { ChartPoint } from '../../readings/chart/chart-series';
import { MIN_WIDTH } from './wheel-turn';

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
