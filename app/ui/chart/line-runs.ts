import { at } from '../../readings/at';
import type { ChartPoint } from '../../readings/chart/chart-series';
import { findGapsBetween } from '../../readings/chart/gap';
import type { MetricField } from '../../readings/metric';

/** Fewer values have no usual interval, and are joined only if they are neighbours. */
const LEAST_FOR_INTERVAL = 3;

/** Cached, because charts ask for the runs in each frame. */
const known = new WeakMap<readonly ChartPoint[], Map<MetricField, number[][]>>();

/**
 * Returns the indices of the points that each stretch of a metric's line joins. A line breaks at a gap of all readings, and
 * at one of its metric, because a sensor may send each metric in a reading of its own: at the point's `breaks`, if it has them,
 * and else by the metric's own interval.
 */
export function lineRuns(points: readonly ChartPoint[], field: MetricField): number[][] {
  const ofPoints = known.get(points) ?? new Map<MetricField, number[][]>();
  const runs = ofPoints.get(field) ?? findRuns(points, field);
  known.set(points, ofPoints.set(field, runs));
  return runs;
}

function findRuns(points: readonly ChartPoint[], field: MetricField): number[][] {
  const measured = points.flatMap((point, i) => (point[field] ? [i] : []));
  const gaps = findGapsBetween(measured.map((i) => Date.parse(at(points, i).from)));
  const runs: number[][] = [];
  let run: number[] = [];
  for (const [n, i] of measured.entries()) {
    const before = measured[n - 1] ?? i;
    const isFew = measured.length < LEAST_FOR_INTERVAL;
    const isApart = points[i]?.breaks?.includes(field) ?? (isFew ? i - before > 1 : gaps[n]);
    const hasGap = points.slice(before + 1, i + 1).some(({ gapBefore }) => gapBefore);
    if (n === 0 || isApart || hasGap) {
      run = [];
      runs.push(run);
    }
    run.push(i);
  }
  return runs;
}
