import type { Chart } from 'chart.js';
import { fontOf } from '../chart-font';
import { writeOver } from './draw-over';

/** A part of the time axis, in pixels from the left of the canvas. */
export interface Strip {
  left: number;
  right: number;
}

/** The width of the outline of words, in pixels: the hatching is close. */
const OUTLINE = 4;

/** Upright words keep this distance from the top and the bottom together, in pixels. */
const MARGIN = 20;

/** The names of the zones stand at the left of the chart, and need about this many pixels. */
const NAMES_WIDTH = 60;

/**
 * Writes in the middle of a strip what it is: on lines if these fit, else upwards, else not at all.
 *
 * @param upwards from the longest to the shortest: the first that fits is written; none to leave words that need it out
 */
export function writeInStrip(
  chart: Chart,
  { left, right }: Strip,
  lines: readonly string[],
  upwards: readonly string[],
): void {
  const { ctx, chartArea } = chart;
  const width = right - left;
  const { small, lineHeight } = fontOf(chart);
  if (width < lineHeight) return;
  const write = (text: string, y: number) => writeOver(chart, text, 0, y, OUTLINE);
  ctx.save();
  ctx.font = small;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const center = (left + right) / 2;
  const middle = (chartArea.top + chartArea.bottom) / 2;
  if (lines.every((line) => ctx.measureText(line).width <= width)) {
    ctx.translate(center, middle);
    for (const [i, line] of lines.entries()) write(line, (i - (lines.length - 1) / 2) * lineHeight);
  } else {
    const afterNames = Math.min(chartArea.left + NAMES_WIDTH, right - lineHeight / 2);
    ctx.translate(Math.max(center, afterNames), middle);
    ctx.rotate(-Math.PI / 2);
    const fitting = upwards.find((text) => ctx.measureText(text).width <= chartArea.height - MARGIN);
    const text = fitting ?? upwards.at(-1);
    if (text) write(text, 0);
  }
  ctx.restore();
}
