import type { Chart } from 'chart.js';
import { colorsOf } from '../chart-colors';

/** Writes text on a chart, with an outline that keeps lines off the letters. */
export function writeOver(
  chart: Chart,
  text: string,
  x: number,
  y: number,
  outline: number,
  ink = colorsOf(chart).muted,
): void {
  const { ctx } = chart;
  ctx.save();
  ctx.lineWidth = outline;
  ctx.lineJoin = 'round';
  ctx.strokeStyle = colorsOf(chart).surface;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = ink;
  ctx.fillText(text, x, y);
  ctx.restore();
}

/** Saves the canvas state and clips to the plot, with a left and right margin in pixels. */
export function clipToArea({ ctx, chartArea }: Chart, margin = 0): void {
  const { left, top, width, height } = chartArea;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - margin, top, width + 2 * margin, height);
  ctx.clip();
}

export interface Strip {
  left: number;
  right: number;
}

/** The width of a text's outline in pixels, for text over hatching. */
const OUTLINE = 4;

/** The total distance of vertical text from the top and bottom, in pixels. */
const MARGIN = 20;

const NAMES_WIDTH = 60;

/**
 * Writes in the middle of a strip what fits there: `lines`, or else a text of `upwards` vertically, or else the last one
 * horizontally. Writes nothing rather than a cut text.
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
  const widthOf = (text: string) => ctx.measureText(text).width;
  const fitting = upwards.find((text) => widthOf(text) <= chartArea.height - MARGIN);
  const across = [lines, upwards.slice(-1)].find(
    (texts) => texts.length * lineHeight <= chartArea.height && texts.every((text) => widthOf(text) <= width),
  );
  if (across === lines || (across && !fitting)) {
    ctx.translate(center, middle);
    for (const [i, line] of across.entries()) write(line, (i - (across.length - 1) / 2) * lineHeight);
  } else if (fitting) {
    const afterNames = Math.min(chartArea.left + NAMES_WIDTH, right - lineHeight / 2);
    ctx.translate(Math.max(center, afterNames), middle);
    ctx.rotate(-Math.PI / 2);
    write(fitting, 0);
  }
  ctx.restore();
}

/** Returns the font of the axes (`plain`), and the slightly smaller fonts for texts inside the chart. */
export function fontOf(chart: Chart) {
  // The type allows functions, but Chart.js has already resolved the font.
  const font = chart.options.font as { size?: number; family?: string } | undefined;
  const { size = 12, family = 'sans-serif' } = font ?? {};
  const small = `${Math.round((size * 11) / 12)}px ${family}`;
  return { plain: `${size}px ${family}`, small, bold: `600 ${small}`, lineHeight: Math.round(size * 1.2) };
}
