import type { ChartPoint } from '../../readings/chart/chart-series';
import { formatValue } from '../../readings/format/format-value';
import type { Thresholds } from '../../readings/level/level';
import { METRICS, type Metric, NOT_MEASURED } from '../../readings/metric';
import type { TimeFormat } from '../../readings/time/local-day';
import { gapText, pointTime } from './point-time';

/** The short lines of a point's tooltip. */
export interface PointText {
  time: string;
  values: { metric: Metric; value: string; range: string }[];
  /** Further lines, such as the gap before the point. */
  notes: string[];
}

/** Describes a point: a reading, or the average of several with their extremes. */
export function pointText(
  point: ChartPoint,
  thresholds: Thresholds,
  now: Date,
  format?: TimeFormat,
): PointText {
  const gap = point.gapBefore ? gapText(point.gapBefore, now, format) : '';
  const isAverage = point.readings > 1;
  return {
    time: pointTime(point, now, format),
    values: METRICS.map((metric) => {
      const summary = point[metric.field];
      if (!summary) return { metric, value: `${metric.name} ${NOT_MEASURED}`, range: '' };
      const { average, lowest, highest } = summary;
      const say = (value: number) => formatValue(value, thresholds[metric.field]);
      const range = isAverage ? `${say(lowest)} to ${say(highest)}` : '';
      return { metric, value: `${metric.name} ${say(average)} ${metric.unit}`, range };
    }),
    notes: [isAverage ? `average of ${point.readings} readings` : '', gap, point.note ?? ''].filter(Boolean),
  };
}

/** Joins the lines to a sentence for screen readers. */
export function spokenText(
  point: ChartPoint,
  thresholds: Thresholds,
  now: Date,
  format?: TimeFormat,
): string {
  const { time, values, notes } = pointText(point, thresholds, now, format);
  return [
    time,
    ...values.map(({ value, range }) => [value, range].filter(Boolean).join(', ')),
    ...notes,
  ].join('; ');
}
