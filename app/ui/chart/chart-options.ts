import { Chart, type ChartDataset, type ChartOptions, type TooltipItem } from 'chart.js';
import type {} from 'chartjs-plugin-zoom';
import { type ChartPoint, timeLabel } from '../../readings/chart-series';
import { formatValue } from '../../readings/format-value';
import { METRICS, type Metric } from '../../readings/metric';

/** A dataset carries what its points stand for, for the tooltip. */
type ReadingsDataset = ChartDataset<'line'> & { points: readonly ChartPoint[]; metric: Metric };

/** Wheel zoom speed (specification, section 2). */
const WHEEL_SPEED = 0.05;

/**
 * The options of the chart, made once: handing new ones to a chart would reset its zoom.
 *
 * @param lastPoint the index of the newest point there is now
 */
export function chartOptions(
  onZoom: (isZoomed: boolean) => void,
  lastPoint: () => number,
): ChartOptions<'line'> {
  const noteZoom = ({ chart }: { chart: Chart }) => onZoom(keepZoom(chart));
  const limits = {
    min: 0,
    // Read on every update: the plugin's own 'original' is of when the zoom began.
    get max() {
      return lastPoint();
    },
    minRange: 2,
  };
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      // Labels have five to eight characters: a few of them tell how many there is room for.
      x: { grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 16, sampleSize: 4 } },
      // CO2 on the right, VOC on the left, both from zero (specification, section 2).
      co2: yAxis('right'),
      voc: yAxis('left'),
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
        pan: { enabled: true, mode: 'x', onPan: noteZoom },
        zoom: {
          wheel: { enabled: true, speed: WHEEL_SPEED },
          pinch: { enabled: true },
          mode: 'x',
          onZoom: noteZoom,
        },
      },
    },
  };
}

/**
 * Lets go of a zoom that shows every point there is, or points that are no more: it would hold the chart
 * where it is while new readings arrive.
 *
 * @returns whether the chart is zoomed
 */
export function keepZoom(chart: Chart): boolean {
  const x = (chart.options.scales?.x ?? {}) as { min?: number; max?: number };
  if (!chart.canvas || x.min === undefined || x.max === undefined) return false;
  const last = (chart.data.labels?.length ?? 0) - 1;
  if (x.max <= last && (x.min > 0 || x.max < last)) return true;
  if (x.max === last) {
    // All of it is in view: what holds it there goes, and nothing has to be drawn anew.
    x.min = undefined;
    x.max = undefined;
  } else {
    chart.resetZoom('none');
  }
  return false;
}

/** Gives the chart the page's colours of the moment, to be drawn with at its next update. */
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

/** A legend's mark is a point, and points have no dashes: the lines' own are put in. */
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

/** Without grouped digits, as in the tiles; `Intl`, which groups them, was a quarter of the first drawing. */
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
