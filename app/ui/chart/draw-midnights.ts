import type { Chart } from 'chart.js';
import { formatWeekday } from '../../readings/local-day';
import { colorsOf } from './chart-colors';
import { modelOf } from './chart-data';
import { fontOf } from './chart-font';

/** Midnights closer to the one before than this many pixels are not drawn. */
const LEAST_DISTANCE = 8;

/** From a midnight to the name of its day, in pixels. */
const MARGIN = 5;

/** Draws a line at each midnight in view, with the name of the day where there is room for it. */
export function drawMidnights(chart: Chart): void {
  const { midnights } = modelOf(chart);
  const { x } = chart.scales;
  if (midnights.length === 0 || !x) return;
  const { ctx, chartArea } = chart;
  const { left, right, top, bottom } = chartArea;
  const color = colorsOf(chart);
  const font = fontOf(chart);
  ctx.save();
  ctx.font = font.bold;
  ctx.textBaseline = 'top';
  ctx.strokeStyle = color.muted;
  let lastLine = Number.NEGATIVE_INFINITY;
  let lastText = left;
  for (const { position, day } of midnights) {
    const at = x.getPixelForValue(position);
    if (at < left || at > right || at - lastLine < LEAST_DISTANCE) continue;
    lastLine = at;
    ctx.globalAlpha = 0.6;
    ctx.beginPath();
    ctx.moveTo(at, top);
    ctx.lineTo(at, bottom);
    ctx.stroke();
    const name = formatWeekday(day);
    const width = ctx.measureText(name).width;
    const isAfter = at + MARGIN + width <= right;
    const start = isAfter ? at + MARGIN : at - MARGIN - width;
    if (start < lastText) continue;
    lastText = start + width + 2 * MARGIN;
    ctx.globalAlpha = 1;
    ctx.lineWidth = 3;
    ctx.strokeStyle = color.surface;
    ctx.strokeText(name, start, top + 4);
    ctx.lineWidth = 1;
    ctx.strokeStyle = color.muted;
    ctx.fillStyle = color.muted;
    ctx.fillText(name, start, top + 4);
  }
  ctx.restore();
}
