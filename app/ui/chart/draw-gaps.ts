import type { Chart } from 'chart.js';
import { gapLength } from '../../readings/point-time';
import { colorsOf } from './chart-colors';
import { modelOf } from './chart-data';
import { fontOf } from './chart-font';
import { clipToArea, writeOver } from './draw-over';

/** A strip without readings, in pixels from the left of the canvas. */
interface Strip {
  left: number;
  right: number;
  /** How long readings are missing. */
  length: string;
}

/** Strips leave room for the points beside them, but not more than a sixth of their width. */
const MARGIN = 5;

/** The width of the outline of words, in pixels: the hatching is close. */
const OUTLINE = 4;

/** From line to line of the hatching. */
const HATCH_STEP = 7;

/**
 * Draws the gaps in view as hatched strips, which say how long they are.
 *
 * @param drawOver draws what lies between the hatching and the words
 */
export function drawGaps(chart: Chart, drawOver: (chart: Chart) => void): void {
  const strips = stripsOf(chart);
  if (strips.length === 0) {
    drawOver(chart);
    return;
  }
  clipToArea(chart);
  hatch(chart, strips);
  drawOver(chart);
  for (const strip of strips) writeLength(chart, strip);
  chart.ctx.restore();
}

function stripsOf(chart: Chart): Strip[] {
  const { x } = chart.scales;
  if (!x) return [];
  const { gaps, hasEdgePoints } = modelOf(chart);
  return gaps.flatMap(({ start, end, gap }) => {
    // The view of a zoomed chart.
    if (end <= x.min || start >= x.max) return [];
    const [left, right] = [x.getPixelForValue(start), x.getPixelForValue(end)];
    const margin = hasEdgePoints ? Math.min(MARGIN, (right - left) / 6) : 0;
    return [
      {
        left: Math.max(left + margin, chart.chartArea.left),
        right: Math.min(right - margin, chart.chartArea.right),
        length: gapLength(gap),
      },
    ];
  });
}

function hatch(chart: Chart, strips: readonly Strip[]): void {
  const { ctx, chartArea } = chart;
  const { left, right, top, bottom, height } = chartArea;
  const color = colorsOf(chart);
  ctx.save();
  ctx.beginPath();
  for (const strip of strips) ctx.rect(strip.left, top, strip.right - strip.left, height);
  ctx.clip();
  ctx.fillStyle = color.surface;
  ctx.fillRect(left, top, right - left, height);
  ctx.beginPath();
  for (let x = left - height; x < right; x += HATCH_STEP) {
    ctx.moveTo(x, bottom);
    ctx.lineTo(x + height, top);
  }
  ctx.strokeStyle = color.muted;
  ctx.globalAlpha = 0.3;
  ctx.stroke();
  ctx.restore();
}

/** Writes a strip's length in its middle: upright on two lines where they fit, else upwards, else not at all. */
function writeLength(chart: Chart, { left, right, length }: Strip): void {
  const { ctx, chartArea } = chart;
  const width = right - left;
  const { small, lineHeight } = fontOf(chart);
  if (width < lineHeight) return;
  const write = (text: string, y: number) => writeOver(chart, text, 0, y, OUTLINE);
  ctx.save();
  ctx.font = small;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.translate((left + right) / 2, (chartArea.top + chartArea.bottom) / 2);
  if (ctx.measureText('no readings').width <= width && ctx.measureText(length).width <= width) {
    write(length, -lineHeight / 2);
    write('no readings', lineHeight / 2);
  } else {
    ctx.rotate(-Math.PI / 2);
    const whole = `${length} without readings`;
    write(ctx.measureText(whole).width <= chartArea.height - 20 ? whole : length, 0);
  }
  ctx.restore();
}
