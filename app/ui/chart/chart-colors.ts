import type { Chart } from 'chart.js';
import { CO2, METRICS, type Metric, type MetricField } from '../../readings/metric';
import { datasetsOf, metricLabel, modelOf } from './chart-model';
import { ROOM_LOOKS, type RoomColor } from './room-looks';

/** The page colours that charts use (app/ui/palette.ts), with their replacements for forced colours. */
const FORCED = {
  ink: 'CanvasText',
  muted: 'CanvasText',
  line: 'Canvas',
  surface: 'Canvas',
  'zone-good': 'Canvas',
  'zone-moderate': 'Canvas',
  'zone-poor': 'Canvas',
};

type ChartColors = Record<keyof typeof FORCED | MetricField | RoomColor, string>;

function colorsBy(read: (name: string, forced: string) => string): ChartColors {
  const lines = METRICS.map((metric) => [metric.field, metric === CO2 ? 'LinkText' : 'CanvasText'] as const);
  const rooms = ROOM_LOOKS.map(({ color }) => [color, 'CanvasText'] as const);
  const all = [...Object.entries(FORCED), ...lines, ...rooms];
  const colors = all.map(([name, forced]) => [name, read(name, forced)]);
  // The lists contain all keys.
  return Object.fromEntries(colors) as ChartColors;
}

const FORCED_COLORS = colorsBy((_, forced) => forced);

export const COLOR_SETTINGS = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];

const colors = new WeakMap<Chart, ChartColors>();

/** Returns the colours that `applyChartColors` read for a chart. */
export function colorsOf(chart: Chart): ChartColors {
  return colors.get(chart) ?? FORCED_COLORS;
}

export function lineColor(chart: Chart, { field }: Metric): string {
  return colorsOf(chart)[field];
}

/** Copies the page's colours into the chart's options. They take effect at its next update. */
export function applyChartColors(chart: Chart<'line'>): void {
  const color = readColors(chart.canvas);
  colors.set(chart, color);
  chart.options.color = color.ink;
  for (const scale of Object.values(chart.options.scales ?? {})) {
    if (!scale) continue;
    scale.ticks = { ...scale.ticks, color: color.muted };
    scale.grid = { ...scale.grid, color: color.line };
    scale.border = { ...scale.border, color: color.line };
  }
  for (const metric of modelOf(chart).drawn) {
    const scale = chart.options.scales?.[metric.field];
    // Functions, because the metrics of a sensor may change.
    const display = () => modelOf(chart).named.includes(metric);
    const text = () => metricLabel(metric, modelOf(chart));
    const own = modelOf(chart).rooms ? color.muted : lineColor(chart, metric);
    if (scale) Object.assign(scale, { title: { display, text, color: own, padding: 0 } });
  }
  for (const dataset of datasetsOf(chart)) {
    const own = color[dataset.color];
    dataset.borderColor = own;
    dataset.backgroundColor = own;
    // Chart.js would darken these, to an untested contrast.
    dataset.hoverBorderColor = own;
    dataset.pointHoverBorderColor = own;
    dataset.pointHoverBackgroundColor = own;
  }
}

function readColors(canvas: HTMLCanvasElement): ChartColors {
  const isForced = matchMedia('(forced-colors: active)').matches;
  const style = getComputedStyle(isForced ? canvas : document.documentElement);
  const read = (name: string, forced: string) => {
    if (!isForced) return style.getPropertyValue(`--${name}`).trim();
    // A canvas context can't resolve system colours by name, but an element's style can.
    canvas.style.color = forced;
    return style.color;
  };
  return colorsBy(read);
}
