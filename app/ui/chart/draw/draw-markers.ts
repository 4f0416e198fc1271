import type { Chart } from 'chart.js';
import { METRICS } from '../../../readings/metric';
import { colorsOf } from '../chart-colors';
import { LINE_WIDTH, modelOf } from '../chart-data';

/** The dot of the newest point, the only one with a dot. */
const NEWEST_RADIUS = 4;

/** Half the length of the tick that makes a point visible which no line leads to. */
export const ALONE_RADIUS = 4;

/** Draws the dot of the newest point, and a tick at each point that no line leads to, where they are in view. */
export function drawMarkers(chart: Chart): void {
  const { ctx, scales } = chart;
  const { points, positions, newest } = modelOf(chart);
  const isInView = (at = 0) => scales.x && at >= scales.x.min && at <= scales.x.max;
  ctx.save();
  METRICS.forEach(({ field }, metric) => {
    if (!chart.isDatasetVisible(metric)) return;
    const has = (i: number) => !!points[i]?.[field];
    const isJoined = (i: number) => has(i - 1) && has(i) && points[i]?.gapBefore === null;
    ctx.strokeStyle = ctx.fillStyle = colorsOf(chart)[field];
    chart.getDatasetMeta(metric).data.forEach(({ x, y }, i) => {
      if (!isInView(positions[i]) || !has(i)) return;
      ctx.beginPath();
      if (i === newest) {
        ctx.arc(x, y, NEWEST_RADIUS, 0, 2 * Math.PI);
        ctx.fill();
        ctx.lineWidth = 1;
      } else if (!isJoined(i) && !isJoined(i + 1)) {
        ctx.moveTo(x - ALONE_RADIUS, y);
        ctx.lineTo(x + ALONE_RADIUS, y);
        ctx.lineWidth = LINE_WIDTH;
      } else return;
      ctx.stroke();
    });
  });
  ctx.restore();
}
