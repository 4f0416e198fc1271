import type { Chart } from 'chart.js';
import { CO2 } from '../../../readings/metric';
import { lineColor } from '../chart-colors';
import { modelOf } from '../chart-model';
import { OUTLINE } from './draw-ground';
import { fontOf, type Strip, writeOver } from './draw-over';

/** The opacity of an airing's band. Zones and lines stay visible through it (tests/ui/palette.test.ts). */
export const AIRING_OPACITY = 0.14;

/** The narrowest band, in pixels. Without it, short airings would be invisible in a month. */
const LEAST_WIDTH = 3;

/** The largest share of the chart's width that the narrowest bands may fill. Above it, only feet are drawn: 700 bands hide a year. */
const MOST_FILLED = 0.25;
const FOOT_HEIGHT = 4;
const MARGIN = 4;

/** Draws a pale band for each airing, with a foot on the time axis; without the bands if they would cover the chart. */
export function drawAirings(chart: Chart): void {
  const { ctx, chartArea } = chart;
  ctx.save();
  ctx.fillStyle = lineColor(chart, CO2);
  const bands = stripsOf(chart, LEAST_WIDTH);
  const hasBands = bands.length * LEAST_WIDTH <= MOST_FILLED * (chartArea.right - chartArea.left);
  for (const { left, right } of hasBands ? bands : stripsOf(chart, 1)) {
    ctx.globalAlpha = AIRING_OPACITY;
    if (hasBands) ctx.fillRect(left, chartArea.top, right - left, chartArea.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, chartArea.bottom - FOOT_HEIGHT, right - left, FOOT_HEIGHT);
  }
  ctx.restore();
}

/** Writes each airing's duration over the lines: left of its band, or else right of it, or not at all without room. */
export function nameAirings(chart: Chart): void {
  const { ctx, chartArea } = chart;
  const strips = stripsOf(chart, LEAST_WIDTH);
  const { small, lineHeight } = fontOf(chart);
  ctx.save();
  ctx.font = small;
  ctx.textBaseline = 'bottom';
  ctx.textAlign = 'left';
  // Leave room for the word `now` at the bottom of a time axis.
  const bottom = chartArea.bottom - FOOT_HEIGHT - 2 - (modelOf(chart).outside ? lineHeight : 0);
  let lastText = chartArea.left;
  for (const [i, { left, right, label }] of strips.entries()) {
    const width = ctx.measureText(label).width;
    const room = {
      left: Math.max(lastText, strips[i - 1]?.right ?? 0),
      right: strips[i + 1]?.left ?? chartArea.right,
    };
    const start = [left - MARGIN - width, right + MARGIN].find(
      (start) => start >= room.left + MARGIN && start + width <= room.right,
    );
    if (start === undefined) continue;
    lastText = start + width;
    writeOver(chart, label, start, bottom, OUTLINE, lineColor(chart, CO2));
  }
  ctx.restore();
}

/** Returns the bands in view, in pixels, from left to right. */
function stripsOf(chart: Chart, leastWidth: number): (Strip & { label: string })[] {
  const { x } = chart.scales;
  const { left, right } = chart.chartArea;
  if (!x) return [];
  return modelOf(chart).airings.flatMap(({ start, end, label }) => {
    if (end < x.min || start > x.max) return [];
    const from = Math.max(left, Math.min(x.getPixelForValue(start), right - leastWidth));
    const to = Math.max(from + leastWidth, Math.min(x.getPixelForValue(end), right));
    return [{ left: from, right: to, label }];
  });
}
