import type { Chart } from 'chart.js';
import { colorsOf } from '../chart-colors';
import { modelOf } from '../chart-data';
import { fontOf } from '../chart-font';
import { writeOver } from './draw-over';

/** Marks closer to the one before than this many pixels are not drawn. */
const LEAST_DISTANCE = 8;

/** From a mark to its name, in pixels. */
const MARGIN = 5;

/** The width of the outline of names, in pixels. */
export const OUTLINE = 3;

/** Draws a line at each midnight in view, with the name of the day where there is room for it; or at months or years. */
export function drawMarks(chart: Chart): void {
  const { marks } = modelOf(chart);
  const { x } = chart.scales;
  if (marks.length === 0 || !x) return;
  const { ctx, chartArea } = chart;
  const { left, right, top, bottom } = chartArea;
  ctx.save();
  ctx.font = fontOf(chart).bold;
  ctx.textBaseline = 'top';
  ctx.strokeStyle = colorsOf(chart).muted;
  let lastLine = Number.NEGATIVE_INFINITY;
  let lastText = left;
  for (const { position, name, hasBegun } of marks) {
    const at = x.getPixelForValue(position);
    if (at < left || at > right || at - lastLine < LEAST_DISTANCE) continue;
    lastLine = at;
    ctx.globalAlpha = 0.6;
    ctx.beginPath();
    ctx.moveTo(at, hasBegun ? bottom : top);
    ctx.lineTo(at, bottom);
    ctx.stroke();
    const width = ctx.measureText(name).width;
    const start = at + MARGIN;
    // To the left of its line it would name the day before.
    if (start < lastText || start + width > right) continue;
    lastText = start + width + 2 * MARGIN;
    ctx.globalAlpha = 1;
    writeOver(chart, name, start, top + 4, OUTLINE);
  }
  ctx.restore();
}
