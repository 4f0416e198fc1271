import type { Chart, ChartData, ChartDataset } from 'chart.js';
import type { ChartPoint } from '../../readings/chart/chart-series';
import { METRICS, type Metric, type MetricField, NOT_MEASURED } from '../../readings/metric';
import { drawable } from './axis-scale';
import type { ChartModel } from './chart-model';
import { METRIC_LINES } from './metric-lines';

/** A dataset with the metric it shows, and the model for the tooltip and the plugins. */
export type ReadingsDataset = ChartDataset<'line'> & { metric: Metric; model: ChartModel };

/** In pixels. */
export const LINE_WIDTH = 2.5;

/** Returns the data of a chart, in the shape of Chart.js, without the lines of hidden metrics. */
export function chartData(model: ChartModel, hidden: readonly MetricField[]): ChartData<'line'> {
  return {
    labels: [...model.labels],
    datasets: METRICS.map((metric) => dataset(metric, model, hidden)),
  };
}

/** Returns the model that a chart shows. */
export function modelOf(chart: Chart): ChartModel {
  return (chart.data.datasets[0] as ReadingsDataset).model;
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
    borderDash: METRIC_LINES[metric.field].dash,
    // `drawMarkers` draws them: with a radius for each point, Chart.js would resolve all of its options for each.
    pointRadius: 0,
    segment: gaps.length
      ? { borderColor: ({ p1DataIndex }: { p1DataIndex: number }) => lineColorTo(points[p1DataIndex]) }
      : undefined,
  };
}

/** Returns what a chart calls a metric: `VOC (PPB)`, or `VOC (not measured)` if no point has a value. */
export function metricLabel(metric: Metric, { measured }: Pick<ChartModel, 'measured'>): string {
  return `${metric.name} (${measured.includes(metric) ? metric.unit : NOT_MEASURED})`;
}

/** Hides the line across a gap; undefined means the line's own colour. */
function lineColorTo(point: ChartPoint | undefined) {
  return point?.gapBefore ? 'transparent' : undefined;
}
