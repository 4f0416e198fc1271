import type { ChartPoint } from '../../readings/chart-series';
import { formatValue } from '../../readings/format-value';
import { METRICS, type Metric } from '../../readings/metric';
import { gapText, pointTime } from '../../readings/point-time';

/** The short lines of a point's tooltip. */
export interface PointText {
  time: string;
  values: { metric: Metric; value: string; range: string }[];
  /** Further lines, such as the gap before the point. */
  notes: string[];
}

/** Describes a point: a reading, or the average of several with their extremes. */
export function pointText(point: ChartPoint, now: Date): PointText {
  const gap = point.gapBefore ? gapText(point.gapBefore, now) : '';
  const isAverage = point.readings > 1;
  return {
    time: pointTime(point, now),
    values: METRICS.map((metric) => {
      const { average, lowest, highest } = point[metric.field];
      const range = isAverage ? `${formatValue(lowest)} to ${formatValue(highest)}` : '';
      return { metric, value: `${metric.name} ${formatValue(average)} ${metric.unit}`, range };
    }),
    notes: [isAverage ? `average of ${point.readings} readings` : '', gap].filter(Boolean),
  };
}

/** Joins the lines to a sentence for screen readers. */
export function spokenText(point: ChartPoint, now: Date): string {
  const { time, values, notes } = pointText(point, now);
  return [
    time,
    ...values.map(({ value, range }) => [value, range].filter(Boolean).join(', ')),
    ...notes,
  ].join('; ');
}
