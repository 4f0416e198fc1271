import type { Chart } from 'chart.js';
import type { Metric } from '../../../readings/metric';
import { drawable } from '../axis-scale';
import { colorsOf, lineColor } from '../chart-colors';
import { LINE_WIDTH, linesOf, modelOf } from '../chart-model';
import { lineRuns } from '../line-runs';
import { clipToArea } from './draw-over';

/** The opacity of a band. The line of the other metric stays visible through it (tests/ui/palette.test.ts). */
export const BAND_OPACITY = 0.16;

const ALONE_HALF_WIDTH = 4;

/** Draws the band from the lowest to the highest reading around the averages. */
export function drawBands(chart: Chart): void {
  const model = modelOf(chart);
  if (!model.isAveraged) return;
  const { ctx } = chart;
  clipToArea(chart, model.hasEdgePoints ? ALONE_HALF_WIDTH : 0);
  ctx.globalAlpha = BAND_OPACITY;
  model.drawn.forEach((metric, i) => {
    if (!chart.isDatasetVisible(i)) return;
    ctx.fillStyle = lineColor(chart, metric);
    for (const run of lineRuns(model.points, metric.field)) drawBand(chart, metric, run);
  });
  ctx.restore();
}

/** Fills the band over a run of joined points. */
function drawBand(chart: Chart, { field }: Metric, run: readonly number[]) {
  const { ctx, scales } = chart;
  const { points, positions } = modelOf(chart);
  const [x, y] = [scales.x, scales[field]];
  if (!x || !y) return;
  const placeOf = (i: number, edge: 'lowest' | 'highest') => {
    const value = drawable(points[i]?.[field]?.[edge] ?? 0);
    return [x.getPixelForValue(positions[i] ?? 0), y.getPixelForValue(value)] as const;
  };
  ctx.beginPath();
  const [alone] = run.length === 1 ? run : [];
  if (alone !== undefined) {
    const [center, top] = placeOf(alone, 'highest');
    ctx.rect(center - ALONE_HALF_WIDTH, top, 2 * ALONE_HALF_WIDTH, placeOf(alone, 'lowest')[1] - top);
  } else {
    for (const i of run) ctx.lineTo(...placeOf(i, 'highest'));
    for (const i of run.toReversed()) ctx.lineTo(...placeOf(i, 'lowest'));
  }
  ctx.fill();
}

const NEWEST_RADIUS = 4;

/** Half the length of the tick that marks a point without a line. */
export const ALONE_RADIUS = 4;

/** Draws a dot at the newest point and a tick at each point without a line, if they are in view. */
export function drawMarkers(chart: Chart): void {
  const { ctx, scales } = chart;
  const model = modelOf(chart);
  const { positions, newest } = model;
  const isInView = (at = 0) => scales.x && at >= scales.x.min && at <= scales.x.max;
  ctx.save();
  linesOf(model).forEach(({ field, color, points }, dataset) => {
    if (!chart.isDatasetVisible(dataset)) return;
    const has = (i: number) => !!points[i]?.[field];
    const alone = new Set(
      lineRuns(points, field)
        .filter((run) => run.length === 1)
        .flat(),
    );
    ctx.strokeStyle = ctx.fillStyle = colorsOf(chart)[color];
    chart.getDatasetMeta(dataset).data.forEach(({ x, y }, i) => {
      if (!isInView(positions[i]) || !has(i)) return;
      ctx.beginPath();
      if (i === newest) {
        ctx.arc(x, y, NEWEST_RADIUS, 0, 2 * Math.PI);
        ctx.fill();
        ctx.lineWidth = 1;
      } else if (alone.has(i)) {
        ctx.moveTo(x - ALONE_RADIUS, y);
        ctx.lineTo(x + ALONE_RADIUS, y);
        ctx.lineWidth = LINE_WIDTH;
      } else return;
      ctx.stroke();
    });
  });
  ctx.restore();
}
