import { type ChartPoint, type SeriesPoint, timeLabel } from '../../readings/chart/chart-series';
import type { PlacedGap } from '../../readings/chart/gap';
import type { Thresholds } from '../../readings/level/level';
import { METRICS, type Metric, measuredMetrics } from '../../readings/metric';
import { formatWeekday, type TimeFormat, withEnglishDays } from '../../readings/time/local-day';
import { type AxisScale, axisScale } from './axis-scale';
import { findMidnights, type TimeMark } from './midnights';

/** All that a chart shows. */
export interface ChartModel {
  /** Oldest first. */
  points: readonly ChartPoint[];
  /** The points without those beside the chart, to which lines lead. */
  inView: readonly ChartPoint[];
  /** Labels of the points on the time axis, or their times on an axis of numbers. */
  labels: readonly (string | number)[];
  /** Positions of the points on the time axis, in its unit: their indexes, or their times. */
  positions: readonly number[];
  thresholds: Thresholds;
  /** The metrics that the points have values of. */
  measured: readonly Metric[];
  /** The metrics that the legend and an axis name, also where they aren't measured. */
  named: readonly Metric[];
  scale: AxisScale;
  gaps: readonly PlacedGap[];
  /** True if points lie at the edges of the chart and of its gaps, where they need room. */
  hasEdgePoints: boolean;
  /** The beginnings of days, or of months or years. */
  marks: readonly TimeMark[];
  /** The index of the point with the newest reading; -1 if the chart doesn't show it. */
  newest: number;
  /** True if points are averages of several readings, with a band from the lowest to the highest. */
  isAveraged: boolean;
  /** The time before with which it is compared. */
  compared?: { name: string } | null;
  /** Formats times for the tooltip and the description. */
  timeFormat: TimeFormat;
}

/** Computes what doesn't depend on the size of the chart, once for a series of at least one point. */
export function chartModel(points: readonly SeriesPoint[], thresholds: Thresholds): ChartModel {
  return {
    points,
    inView: points,
    labels: points.map(({ label }) => label),
    positions: points.map((_, i) => i),
    thresholds,
    measured: measuredMetrics(points),
    named: METRICS,
    scale: axisScale(points, thresholds),
    gaps: points.flatMap(({ gapBefore: gap }, i) => (gap ? { start: i - 1, end: i, gap } : [])),
    hasEdgePoints: true,
    marks: findMidnights(points).map(({ position, day }) => ({ position, name: formatWeekday(day) })),
    newest: points.length - 1,
    isAveraged: points.some(({ readings }) => readings > 1),
    timeFormat: withEnglishDays(timeLabel),
  };
}
