import type { Chart } from 'chart.js';
import { drawable } from '../../readings/axis-scale';
import type { ChartPoint } from '../../readings/chart-series';
import { METRICS, type Metric } from '../../readings/metric';
import { colorsOf } from './chart-colors';
import { modelOf } from './chart-data';

/** How opaque a band is: the line of the other metric stays visible through it (tests/palette.test.ts). */
export const BAND_OPACITY = 0.16;

/** Half the width of the band of a point that no line leads to. */
const ALONE_HALF_WIDTH = 4;

/** Draws the range from the lowest to the highest reading behind each average. */
export function drawBands(chart: Chart): void {
  const model = modelOf(chart);
  if (!model.isAveraged) return;
  const { ctx, chartArea } = chart;
  const { left, top, width, height } = chartArea;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - ALONE_HALF_WIDTH, top, width + 2 * ALONE_HALF_WIDTH, height);
  ctx.clip();
  ctx.globalAlpha = BAND_OPACITY;
  METRICS.forEach((metric, i) => {
    if (!chart.isDatasetVisible(i)) return;
    ctx.fillStyle = colorsOf(chart)[metric.field];
    // A band ends at a gap, and where the metric isn't measured.
    let start = 0;
    for (const [i, point] of model.points.entries()) {
      const isEnd = !point[metric.field] || point.gapBefore;
      if (isEnd && start < i) drawBand(chart, metric, model.points, start, i);
      if (isEnd) start = point[metric.field] ? i : i + 1;
    }
    if (start < model.points.length) drawBand(chart, metric, model.points, start, model.points.length);
  });
  ctx.restore();
}

/** Fills the band of the points from index `start` to the one before `end`, which are all joined. */
function drawBand(
  chart: Chart,
  { field }: Metric,
  points: readonly ChartPoint[],
  start: number,
  end: number,
) {
  const { ctx, scales } = chart;
  const [x, y] = [scales.x, scales[field]];
  if (!x || !y) return;
  const halfWidth = end - start === 1 ? ALONE_HALF_WIDTH : 0;
  const lineTo = (i: number, edge: 'lowest' | 'highest', shift: number) => {
    const value = drawable(points[i]?.[field]?.[edge] ?? 0);
    ctx.lineTo(x.getPixelForValue(i) + shift, y.getPixelForValue(value));
  };
  ctx.beginPath();
  for (let i = start; i < end; i++) lineTo(i, 'highest', -halfWidth);
  if (halfWidth) lineTo(start, 'highest', halfWidth);
  for (let i = end - 1; i >= start; i--) lineTo(i, 'lowest', halfWidth);
  if (halfWidth) lineTo(start, 'lowest', -halfWidth);
  ctx.fill();
}
