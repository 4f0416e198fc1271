import type { ChartDataset, TooltipItem } from 'chart.js';
import { type ChartPoint, timeLabel } from '../../readings/chart-series';
import { formatValue } from '../../readings/format-value';
import type { Metric } from '../../readings/metric';

/** A dataset with the points and the metric it shows. */
export type ReadingsDataset = ChartDataset<'line'> & { points: readonly ChartPoint[]; metric: Metric };

/** The texts of the chart's tooltip. */
export const tooltipOptions = {
  callbacks: {
    title: ([item]: TooltipItem<'line'>[]) => (item ? timeSpan(pointOf(item)) : ''),
    footer: ([item]: TooltipItem<'line'>[]) => (item ? missingBefore(pointOf(item)) : ''),
    label: (item: TooltipItem<'line'>) => `${item.dataset.label}: ${summaryOf(item)}`,
  },
};

function pointOf({ dataset, dataIndex }: TooltipItem<'line'>): ChartPoint {
  return (dataset as ReadingsDataset).points[dataIndex] as ChartPoint;
}

function timeSpan({ from, to, readings }: ChartPoint): string {
  return readings === 1 ? timeLabel(from) : `${timeLabel(from)} – ${timeLabel(to)}`;
}

function missingBefore({ gapBefore }: ChartPoint): string {
  return gapBefore ? `no readings from ${timeLabel(gapBefore.from)} to ${timeLabel(gapBefore.to)}` : '';
}

function summaryOf(item: TooltipItem<'line'>): string {
  const point = pointOf(item);
  const { average, lowest, highest } = point[(item.dataset as ReadingsDataset).metric.field];
  if (point.readings === 1) return formatValue(average);
  const range = `lowest ${formatValue(lowest)}, highest ${formatValue(highest)}`;
  return `average ${formatValue(average)} (${range}, ${point.readings} readings)`;
}
