import type { TooltipItem } from 'chart.js';
import type { ChartPoint } from '../../readings/chart-series';
import { formatValue } from '../../readings/format-value';
import { gapText, pointTime } from '../../readings/point-time';
import type { ReadingsDataset } from './chart-data';

/** The texts of the chart's tooltip. */
export const tooltipOptions = {
  callbacks: {
    title: ([item]: TooltipItem<'line'>[]) => (item ? pointTime(pointOf(item), new Date()) : ''),
    footer: ([item]: TooltipItem<'line'>[]) => (item ? missingBefore(pointOf(item)) : ''),
    label: (item: TooltipItem<'line'>) => `${item.dataset.label}: ${summaryOf(item)}`,
  },
};

function pointOf({ dataset, dataIndex }: TooltipItem<'line'>): ChartPoint {
  return (dataset as ReadingsDataset).model.points[dataIndex] as ChartPoint;
}

function missingBefore({ gapBefore }: ChartPoint): string {
  return gapBefore ? gapText(gapBefore, new Date()) : '';
}

function summaryOf(item: TooltipItem<'line'>): string {
  const point = pointOf(item);
  const { average, lowest, highest } = point[(item.dataset as ReadingsDataset).metric.field];
  if (point.readings === 1) return formatValue(average);
  const range = `lowest ${formatValue(lowest)}, highest ${formatValue(highest)}`;
  return `average ${formatValue(average)} (${range}, ${point.readings} readings)`;
}
