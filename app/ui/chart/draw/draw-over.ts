import type { Chart } from 'chart.js';
import { colorsOf } from '../chart-colors';

/** Writes a text on a chart, with an outline so that nothing crosses the letters. */
export function writeOver(chart: Chart, text: string, x: number, y: number, outline: number): void {
  const { ctx } = chart;
  const color = colorsOf(chart);
  ctx.save();
  ctx.lineWidth = outline;
  ctx.lineJoin = 'round';
  ctx.strokeStyle = color.surface;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = color.muted;
  ctx.fillText(text, x, y);
  ctx.restore();
}

/**
 * Saves the state of the canvas, and lets it draw on the area of a chart alone until its state is restored.
 *
 * @param margin of the area at its left and at its right, in pixels
 */
export function clipToArea({ ctx, chartArea }: Chart, margin = 0): void {
  const { left, top, width, height } = chartArea;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - margin, top, width + 2 * margin, height);
  ctx.clip();
}
