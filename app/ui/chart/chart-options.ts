import { Chart, type ChartDataset, type ChartOptions } from 'chart.js';
import { METRICS, type Metric } from '../../readings/metric';
import { type ReadingsDataset, tooltipOptions } from './chart-tooltip';
import { zoomOptions } from './chart-zoom';

/** The side of each metric's axis (specification, section 2), and the dashes of its line. */
export const METRIC_LINES: Record<Metric['field'], { axis: 'left' | 'right'; dash: number[] }> = {
  co2: { axis: 'right', dash: [] },
  voc: { axis: 'left', dash: [6, 4] },
};

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
      tooltip: tooltipOptions,
      zoom: zoomOptions(onZoom, lastIndex),
    },
  };
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
