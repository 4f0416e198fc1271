import type { Chart } from 'chart.js';
import { colorsOf } from '../chart-colors';
import { modelOf } from '../chart-data';
import { gapLength } from '../point-time';
import { clipToArea } from './draw-over';
import { type Strip, writeInStrip } from './write-in-strip';

/** A time without readings. */
interface GapStrip extends Strip {
  /** How long readings are missing. */
  length: string;
}

/** Strips leave room for the points beside them, but not more than a sixth of their width. */
const MARGIN = 5;

/** From line to line of the hatching. */
const HATCH_STEP = 7;

/** Words that are turned upwards are left out of more strips than this: side by side, they are a pattern. */
const MOST_UPWARDS = 6;

/**
 * Draws the gaps in view as hatched strips, which say how long they are. Without a point in view, the page says more
 * about it.
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
  for (const strip of hasPointsInView(chart) ? strips : [])
    writeInStrip(
      chart,
      strip,
      [strip.length, 'no readings'],
      strips.length > MOST_UPWARDS ? [] : [`${strip.length} without readings`, strip.length],
    );
  chart.ctx.restore();
}

function hasPointsInView(chart: Chart): boolean {
  const { x } = chart.scales;
  return modelOf(chart).positions.some((at) => x && at >= x.min && at <= x.max);
}

function stripsOf(chart: Chart): GapStrip[] {
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
