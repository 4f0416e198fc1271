import { type AxisScale, axisScale } from '../../readings/axis-scale';
import type { ChartPoint } from '../../readings/chart-series';
import { type Metric, measuredMetrics } from '../../readings/metric';
import { findMidnights, type Midnight } from '../../readings/midnights';
import type { Thresholds } from '../../readings/threshold';

/** All that a chart shows. */
export interface ChartModel {
  /** Oldest first, at least one. */
  points: readonly ChartPoint[];
  thresholds: Thresholds;
  /** The metrics that the points have values of. */
  measured: readonly Metric[];
  scale: AxisScale;
  /** The indexes of the points that follow a gap. */
  gaps: readonly number[];
  midnights: readonly Midnight[];
  /** True if points are averages of several readings, with a band from the lowest to the highest. */
  isAveraged: boolean;
}

/** Computes what doesn't depend on the size of the chart, once for a series. */
export function chartModel(points: readonly ChartPoint[], thresholds: Thresholds): ChartModel {
  return {
    points,
    thresholds,
    measured: measuredMetrics(points),
    scale: axisScale(points, thresholds),
    gaps: points.flatMap(({ gapBefore }, i) => (gapBefore ? [i] : [])),
    midnights: findMidnights(points),
    isAveraged: points.some(({ readings }) => readings > 1),
  };
}
