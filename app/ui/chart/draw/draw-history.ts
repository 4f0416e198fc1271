import type { Chart, Plugin } from 'chart.js';
import type { Span } from '../../../readings/time/history-span';
import { drawable } from '../axis-scale';
import { colorsOf, lineColor } from '../chart-colors';
import { historyModelOf } from '../history-model';
import { lineRuns } from '../line-runs';
import { OUTLINE } from './draw-ground';
import { ALONE_RADIUS } from './draw-lines';
import { clipToArea, fontOf, type Strip, writeInStrip, writeOver } from './draw-over';

const COMPARED_WIDTH = 1;

const MARGIN = 5;

/** The opacity of the cover over times without possible readings. */
const COVER = 0.7;

/** Covers the zones before the first reading and in the future. Must be the first plugin. */
export const historyGround: Plugin<'line'> = {
  id: 'history-ground',
  beforeDatasetsDraw(chart) {
    const { ctx, chartArea } = chart;
    ctx.save();
    ctx.fillStyle = colorsOf(chart).surface;
    ctx.globalAlpha = COVER;
    for (const { left, right } of outsideStrips(chart))
      ctx.fillRect(left, chartArea.top, right - left, chartArea.height);
    ctx.restore();
  },
};

/** Draws the parts specific to a time axis: lines between days, "now", and the compared time. */
export const historyDrawings: Plugin<'line'> = {
  id: 'history-drawings',
  beforeDatasetsDraw(chart) {
    clipToArea(chart);
    drawDays(chart);
    drawNow(chart);
    drawCompared(chart);
    for (const { lines, ...strip } of outsideStrips(chart))
      writeInStrip(chart, strip, lines, [lines.join(' ')]);
    chart.ctx.restore();
  },
};

/** Returns the parts of the view that can't have readings, with their texts. */
function outsideStrips(chart: Chart): (Strip & { lines: string[] })[] {
  const { x } = chart.scales;
  const { before, toCome } = historyModelOf(chart).outside;
  const stripOf = (span: Span | null, ...lines: string[]) =>
    x && span ? [{ left: x.getPixelForValue(span.from), right: x.getPixelForValue(span.to), lines }] : [];
  return [...stripOf(before, 'before the', 'first reading'), ...stripOf(toCome, 'to come')];
}

/** Draws a line at each tick that starts a day, month or year. */
function drawDays(chart: Chart): void {
  const { ctx, chartArea, scales } = chart;
  ctx.lineWidth = 1;
  ctx.strokeStyle = colorsOf(chart).line;
  ctx.beginPath();
  for (const { value, major } of scales.x?.ticks ?? []) {
    if (!scales.x || !major) continue;
    const at = scales.x.getPixelForValue(value);
    ctx.moveTo(at, chartArea.top);
    ctx.lineTo(at, chartArea.bottom);
  }
  ctx.stroke();
}

function drawCompared(chart: Chart): void {
  const { ctx, scales } = chart;
  const { compared, drawn } = historyModelOf(chart);
  if (!compared) return;
  ctx.lineWidth = COMPARED_WIDTH;
  drawn.forEach((metric, i) => {
    const { field, dash } = metric;
    const [x, y] = [scales.x, scales[field]];
    if (!x || !y || !chart.isDatasetVisible(i)) return;
    ctx.strokeStyle = lineColor(chart, metric);
    ctx.setLineDash([...dash]);
    ctx.beginPath();
    const { points, positions } = compared;
    for (const run of lineRuns(points, field)) {
      const places = run.map((i) => ({
        left: x.getPixelForValue(positions[i] ?? 0),
        top: y.getPixelForValue(drawable(points[i]?.[field]?.average ?? 0)),
      }));
      const [first] = places;
      if (!first) continue;
      const isAlone = places.length === 1;
      ctx.moveTo(first.left - (isAlone ? ALONE_RADIUS : 0), first.top);
      if (isAlone) ctx.lineTo(first.left + ALONE_RADIUS, first.top);
      for (const { left, top } of places.slice(1)) ctx.lineTo(left, top);
    }
    ctx.stroke();
  });
  ctx.setLineDash([]);
}

function drawNow(chart: Chart): void {
  const { ctx, chartArea, scales } = chart;
  const { now, view } = historyModelOf(chart);
  if (!scales.x || now < view.from || now > view.to) return;
  // A thin line is sharp only at the middle of a pixel.
  const at = Math.floor(scales.x.getPixelForValue(now)) + 0.5;
  ctx.lineWidth = 1;
  ctx.strokeStyle = colorsOf(chart).ink;
  ctx.beginPath();
  ctx.moveTo(at, chartArea.top);
  ctx.lineTo(at, chartArea.bottom);
  ctx.stroke();
  ctx.font = fontOf(chart).bold;
  const isAfter = at + MARGIN + ctx.measureText('now').width <= chartArea.right;
  ctx.textAlign = isAfter ? 'left' : 'right';
  ctx.textBaseline = 'bottom';
  writeOver(chart, 'now', at + (isAfter ? MARGIN : -MARGIN), chartArea.bottom - MARGIN, OUTLINE);
}
