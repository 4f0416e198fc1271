import type { Chart, ChartData, ChartDataset } from 'chart.js';
import { at } from '../../readings/at';
import { type ChartPoint, type SeriesPoint, timeLabel } from '../../readings/chart/chart-series';
import type { PlacedGap } from '../../readings/chart/gap';
import { nameWithUnit } from '../../readings/format/format-value';
import {
  MAIN_METRICS,
  type Metric,
  type MetricField,
  measuredMetrics,
  NOT_MEASURED,
  type Thresholds,
} from '../../readings/metric';
import type { Outside } from '../../readings/time/history-span';
import { formatWeekday, startOfDay, type TimeFormat, withEnglishDays } from '../../readings/time/local-day';
import { type AxisScale, axisScale, drawable } from './axis-scale';

/** All that a chart shows. */
export interface ChartModel {
  points: readonly ChartPoint[];
  /** The points without those beside the chart, to which lines lead. */
  inView: readonly ChartPoint[];
  /** Labels of the points on the time axis, or their times on an axis of numbers. */
  labels: readonly (string | number)[];
  positions: readonly number[];
  thresholds: Thresholds;
  /** The metrics that the chart has a line and an axis for, two at most: the first has its axis at the right. */
  drawn: readonly Metric[];
  /** Those that the points have values of. */
  measured: readonly Metric[];
  /** Those that the legend and an axis name, also where they aren't measured. */
  named: readonly Metric[];
  scale: AxisScale;
  gaps: readonly PlacedGap[];
  /** The parts of a time axis that can't have readings. */
  outside?: Outside;
  /** True if points lie at the edges of the chart and of its gaps, where they need room. */
  hasEdgePoints: boolean;
  marks: readonly TimeMark[];
  /** The index of the point with the newest reading; -1 if the chart doesn't show it. */
  newest: number;
  /** True if points are averages of several readings, with a band from the lowest to the highest. */
  isAveraged: boolean;
  compared?: { name: string } | null;
  timeFormat: TimeFormat;
}

/** Computes what doesn't depend on the size of the chart, once for a series of at least one point. */
export function chartModel(
  points: readonly SeriesPoint[],
  thresholds: Thresholds,
  drawn: readonly Metric[] = MAIN_METRICS,
): ChartModel {
  return {
    points,
    inView: points,
    labels: points.map(({ label }) => label),
    positions: points.map((_, i) => i),
    thresholds,
    drawn,
    measured: measuredMetrics(points, drawn),
    named: drawn,
    scale: axisScale(points, thresholds, drawn),
    gaps: points.flatMap(({ gapBefore: gap }, i) => (gap ? { start: i - 1, end: i, gap } : [])),
    hasEdgePoints: true,
    marks: findMidnights(points).map(({ position, day }) => ({ position, name: formatWeekday(day) })),
    newest: points.length - 1,
    isAveraged: points.some(({ readings }) => readings > 1),
    timeFormat: withEnglishDays(timeLabel),
  };
}

/** A dataset with the metric it shows, and the model for the tooltip and the plugins. */
export type ReadingsDataset = ChartDataset<'line'> & { metric: Metric; model: ChartModel };

export const LINE_WIDTH = 2.5;

/** Returns the data of a chart, in the shape of Chart.js, without the lines of hidden metrics. */
export function chartData(model: ChartModel, hidden: readonly MetricField[]): ChartData<'line'> {
  return {
    labels: [...model.labels],
    datasets: model.drawn.map((metric) => dataset(metric, model, hidden)),
  };
}

export function modelOf(chart: Chart): ChartModel {
  return at(datasetsOf(chart), 0).model;
}

export function datasetsOf(chart: Chart): ReadingsDataset[] {
  // `chartData` makes all of them.
  return chart.data.datasets as ReadingsDataset[];
}

function dataset(metric: Metric, model: ChartModel, hidden: readonly MetricField[]): ReadingsDataset {
  const { points, gaps } = model;
  return {
    yAxisID: metric.field,
    data: points.map(({ [metric.field]: summary }) => (summary ? drawable(summary.average) : null)),
    metric,
    model,
    hidden: hidden.includes(metric.field),
    borderWidth: LINE_WIDTH,
    // Mitres would end a sharp peak above its value.
    borderJoinStyle: 'bevel',
    borderDash: [...metric.dash],
    // `drawMarkers` draws them: with a radius for each point, Chart.js would resolve all of its options for each.
    pointRadius: 0,
    segment: gaps.length
      ? { borderColor: ({ p1DataIndex }: { p1DataIndex: number }) => lineColorTo(points[p1DataIndex]) }
      : undefined,
  };
}

/** Returns what a chart calls a metric: `VOC (PPB)`, or `VOC (not measured)` if no point has a value. */
export function metricLabel(metric: Metric, { measured }: Pick<ChartModel, 'measured'>): string {
  return measured.includes(metric) ? nameWithUnit(metric) : `${metric.name} (${NOT_MEASURED})`;
}

function lineColorTo(point: ChartPoint | undefined) {
  return point?.gapBefore ? 'transparent' : undefined;
}

/** A place on the time axis of a chart, in its unit, where something with a name begins: a day, a month or a year. */
export interface TimeMark {
  position: number;
  name: string;
  /** True if it has begun before the part in view, at whose start only its name is drawn. */
  hasBegun?: boolean;
}

export interface Midnight {
  /** Its place: 2.5 lies halfway between the points with the indexes 2 and 3. */
  position: number;
  day: Date;
}

/** Finds where the local day changes between points; the last day where several begin. Points are oldest first. */
export function findMidnights(points: readonly { from: string }[]): Midnight[] {
  const times = points.map(({ from }) => new Date(from));
  return times.flatMap((time, i) => {
    const before = times[i - 1];
    if (!before) return [];
    const day = startOfDay(time);
    if (before >= day) return [];
    const share = (day.getTime() - before.getTime()) / (time.getTime() - before.getTime());
    return [{ position: i - 1 + share, day }];
  });
}
