import type { Chart, ChartDataset, ChartOptions, TooltipItem } from 'chart.js';
import type {} from 'chartjs-plugin-zoom';
import { type ChartPoint, timeLabel } from '../readings/chart-series';
import { METRICS, type Metric } from '../readings/reading';
import { formatValue } from '../readings/value';

/** A dataset carries what its points stand for, for the tooltip. */
type ReadingsDataset = ChartDataset<'line'> & { points: readonly ChartPoint[]; metric: Metric };

/** Wheel zoom speed (specification, section 2). */
const WHEEL_SPEED = 0.05;

/** The options of the chart, made once: handing new ones to a chart would reset its zoom. */
export function chartOptions(onZoom: (isZoomed: boolean) => void): ChartOptions<'line'> {
  const noteZoom = ({ chart }: { chart: Chart }) => onZoom(chart.isZoomedOrPanned());
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: { grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 16 } },
      // CO2 on the right, VOC on the left, both from zero (specification, section 2).
      co2: yAxis('right'),
      voc: yAxis('left'),
    },
    plugins: {
      legend: { position: 'bottom', labels: { usePointStyle: true, pointStyle: 'line' } },
      tooltip: {
        callbacks: {
          title: ([item]) => (item ? timeSpan(pointOf(item)) : ''),
          label: (item) => `${item.dataset.label}: ${summaryOf(item)}`,
        },
      },
      zoom: {
        limits: { x: { min: 'original', max: 'original', minRange: 2 } },
        pan: { enabled: true, mode: 'x', onPanComplete: noteZoom },
        zoom: {
          wheel: { enabled: true, speed: WHEEL_SPEED },
          pinch: { enabled: true },
          mode: 'x',
          onZoomComplete: noteZoom,
        },
      },
    },
  };
}

/** Gives the chart the page's colours of the moment. */
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
  chart.update('none');
}

function yAxis(position: 'left' | 'right') {
  return { position, beginAtZero: true, grid: { drawOnChartArea: position === 'left' } };
}

function pointOf({ dataset, dataIndex }: TooltipItem<'line'>): ChartPoint {
  return (dataset as ReadingsDataset).points[dataIndex] as ChartPoint;
}

function timeSpan({ from, to, readings }: ChartPoint): string {
  return readings === 1 ? timeLabel(from) : `${timeLabel(from)} – ${timeLabel(to)}`;
}

function summaryOf(item: TooltipItem<'line'>): string {
  const point = pointOf(item);
  const { average, lowest, highest } = point[(item.dataset as ReadingsDataset).metric.field];
  if (point.readings === 1) return formatValue(average);
  const range = `lowest ${formatValue(lowest)}, highest ${formatValue(highest)}`;
  return `average ${formatValue(average)} (${range}, ${point.readings} readings)`;
}
