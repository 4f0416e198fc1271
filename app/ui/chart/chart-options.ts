import { Chart, type ChartDataset, type ChartOptions, type TooltipItem } from 'chart.js';
import type {} from 'chartjs-plugin-zoom';
import { type ChartPoint, timeLabel } from '../../readings/chart-series';
import { formatValue } from '../../readings/format-value';
import { METRICS, type Metric } from '../../readings/metric';

/** A dataset with the points and the metric it shows, for the tooltip. */
type ReadingsDataset = ChartDataset<'line'> & { points: readonly ChartPoint[]; metric: Metric };

/** The side of each metric's axis (specification, section 2), and the dashes of its line. */
export const METRIC_LINES: Record<Metric['field'], { axis: 'left' | 'right'; dash: number[] }> = {
  co2: { axis: 'right', dash: [] },
  voc: { axis: 'left', dash: [6, 4] },
};

/** Wheel zoom speed (specification, section 2). */
const WHEEL_SPEED = 0.05;

/**
 * Returns the options of a chart. Create them once a chart: new options would reset its zoom.
 *
 * @param onZoom called after each zoom and pan
 * @param lastIndex returns the index of the chart's newest point
 */
export function chartOptions(
  onZoom: (isZoomed: boolean) => void,
  lastIndex: () => number,
): ChartOptions<'line'> {
  const reportZoom = ({ chart }: { chart: Chart }) => onZoom(releaseFullZoom(chart));
  const limits = {
    min: 0,
    // A getter, because the chart grows: the plugin's own limit 'original' is that of the zoom's start.
    get max() {
      return lastIndex();
    },
    minRange: 2,
  };
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      // Measuring four labels is enough to know how many fit: all have five to eight characters.
      x: { grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 16, sampleSize: 4 } },
      ...Object.fromEntries(METRICS.map(({ field }) => [field, yAxis(METRIC_LINES[field].axis)])),
    },
    plugins: {
      legend: {
        position: 'bottom',
        labels: { usePointStyle: true, pointStyle: 'line', generateLabels: dashedLabels },
      },
      tooltip: {
        callbacks: {
          title: ([item]) => (item ? timeSpan(pointOf(item)) : ''),
          footer: ([item]) => (item ? missingBefore(pointOf(item)) : ''),
          label: (item) => `${item.dataset.label}: ${summaryOf(item)}`,
        },
      },
      zoom: {
        limits: { x: limits },
        pan: { enabled: true, mode: 'x', onPan: reportZoom },
        zoom: {
          wheel: { enabled: true, speed: WHEEL_SPEED },
          pinch: { enabled: true },
          mode: 'x',
          onZoom: reportZoom,
        },
      },
    },
  };
}

/**
 * Ends a zoom that shows every point or reaches past the last one: it would keep new readings out of view.
 *
 * @returns whether the chart is still zoomed
 */
export function releaseFullZoom(chart: Chart): boolean {
  const x = (chart.options.scales?.x ?? {}) as { min?: number; max?: number };
  if (!chart.canvas || x.min === undefined || x.max === undefined) return false;
  const last = (chart.data.labels?.length ?? 0) - 1;
  if (x.max <= last && (x.min > 0 || x.max < last)) return true;
  if (x.max === last) {
    // The view stays the same, so there is nothing to draw.
    x.min = undefined;
    x.max = undefined;
  } else {
    chart.resetZoom('none');
  }
  return false;
}

/** Copies the page's colours (`palette` in tailwind.config.ts) into the chart's options. They show at its next update. */
export function applyChartColors(chart: Chart<'line'>): void {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  chart.options.color = color('ink');
  for (const scale of Object.values(chart.options.scales ?? {})) {
    if (!scale) continue;
    scale.ticks = { ...scale.ticks, color: color('muted') };
    scale.grid = { ...scale.grid, color: color('line'), tickColor: 'transparent' };
    scale.border = { ...scale.border, color: color('line') };
  }
  for (const { field, name, unit } of METRICS) {
    const scale = chart.options.scales?.[field] as { title?: object } | undefined;
    if (scale) scale.title = { display: true, text: `${name} (${unit})`, color: color(field) };
  }
  for (const dataset of chart.data.datasets as ReadingsDataset[]) {
    dataset.borderColor = color(dataset.metric.field);
    dataset.backgroundColor = color(dataset.metric.field);
  }
}

/** Legend labels with the dashes of their lines, which Chart.js leaves out of point-style legends. */
function dashedLabels(chart: Chart) {
  return Chart.defaults.plugins.legend.labels.generateLabels(chart).map((label) => ({
    ...label,
    lineDash: (chart.data.datasets[label.datasetIndex ?? 0] as ChartDataset<'line'>).borderDash as number[],
  }));
}

function yAxis(position: 'left' | 'right') {
  return {
    position,
    beginAtZero: true,
    grid: { drawOnChartArea: position === 'left' },
    ticks: { callback: formatTick },
  };
}

/** Formats without digit grouping, as in the tiles. `Intl`, the default, took a quarter of the first drawing. */
function formatTick(tick: string | number): string {
  return String(Number(Number(tick).toPrecision(12)));
}

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
