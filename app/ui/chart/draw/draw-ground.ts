import type { Chart } from 'chart.js';
import { bandOf, type Level, levelRanges } from '../../../readings/level/level';
import type { Metric } from '../../../readings/metric';
import { colorsOf, lineColor } from '../chart-colors';
import { modelOf } from '../chart-model';
import { gapLength } from '../chart-text';
import { clipToArea, fontOf, type Strip, writeInStrip, writeOver } from './draw-over';

export const OUTLINE = 3;

/** A zone of the chart, in pixels from the top of its canvas. */
interface Zone {
  level: Level;
  words: string;
  top: number;
  bottom: number;
}

function zonesOf(chart: Chart): Zone[] {
  const { scale, thresholds } = modelOf(chart);
  if (!scale.zonesOf) return [];
  const heightOf = heightsOf(chart, scale.zonesOf);
  return levelRanges(scale.zonesOf, thresholds)
    .map(({ level, words, from, to }) => ({ level, words, top: heightOf(to), bottom: heightOf(from) }))
    .filter((zone) => zone.bottom > zone.top);
}

/** Returns a function that converts a metric's value to a height in pixels, limited to the plot. */
function heightsOf(
  { chartArea: { top, bottom }, scales }: Chart,
  { field }: Metric,
): (value: number) => number {
  return (value) => {
    if (!Number.isFinite(value)) return value > 0 ? top : bottom;
    return Math.min(Math.max(scales[field]?.getPixelForValue(value) ?? top, top), bottom);
  };
}

/** The opacity of a comfortable band. Lines and the zones of the other metric stay visible through it. */
const BAND_OPACITY = 0.08;

/** Draws the zones and the comfortable bands. */
export function drawZones(chart: Chart): void {
  const { ctx, chartArea } = chart;
  const color = colorsOf(chart);
  ctx.save();
  for (const { level, top, bottom } of zonesOf(chart)) {
    ctx.fillStyle = color[`zone-${level}`];
    ctx.fillRect(chartArea.left, top, chartArea.width, bottom - top);
  }
  ctx.globalAlpha = BAND_OPACITY;
  const { measured, scale, thresholds } = modelOf(chart);
  for (const metric of measured) {
    // The zones show a sensor's own limits of comfort.
    const band = metric === scale.zonesOf ? undefined : bandOf(metric, thresholds);
    if (!band) continue;
    const heightOf = heightsOf(chart, metric);
    const top = heightOf(band.to);
    ctx.fillStyle = lineColor(chart, metric);
    ctx.fillRect(chartArea.left, top, chartArea.width, heightOf(band.from) - top);
  }
  ctx.restore();
}

/** Writes each zone's level into it, over lines and hatching. */
export function nameZones(chart: Chart): void {
  const { ctx, chartArea } = chart;
  const { small, lineHeight } = fontOf(chart);
  ctx.save();
  ctx.font = small;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  const left = namesLeft(chart);
  for (const { words, top, bottom } of zonesOf(chart)) {
    // Leave room for the names of the days at the top of the chart.
    const textTop = top + 4 + (top === chartArea.top && modelOf(chart).marks.length > 0 ? lineHeight : 0);
    if (textTop + lineHeight > bottom) continue;
    writeOver(chart, words, left, textTop, OUTLINE);
  }
  ctx.restore();
}

const NAMES_WIDTH = 60;

/** Returns the left edge of the zone names: the left of the chart, or the first reading, before which there is other text. */
function namesLeft(chart: Chart): number {
  const { left, right } = chart.chartArea;
  const end =
    chart.scales.x?.getPixelForValue(modelOf(chart).outside?.before?.to ?? Number.NaN) ?? Number.NaN;
  return (end > left && end + NAMES_WIDTH <= right ? end : left) + 6;
}

/** Draws the thresholds between the zones, over the grid lines at the same heights. */
export function drawThresholds(chart: Chart): void {
  const { ctx, chartArea } = chart;
  ctx.save();
  ctx.strokeStyle = colorsOf(chart).muted;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([2, 4]);
  ctx.beginPath();
  for (const { top } of zonesOf(chart)) {
    if (top === chartArea.top) continue;
    ctx.moveTo(chartArea.left, top);
    ctx.lineTo(chartArea.right, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** Sets `data-area` and `data-zones` on the figure, for tests: the edges of the plot and of each zone in pixels. */
export function noteZones(chart: Chart): void {
  const figure = chart.canvas?.closest('figure');
  if (!figure) return;
  const { left, right, top, bottom } = chart.chartArea;
  figure.dataset.area = [left, top, right, bottom].map(Math.round).join(' ');
  figure.dataset.zones = zonesOf(chart)
    .map((zone) => `${zone.level} ${Math.round(zone.top)} ${Math.round(zone.bottom)}`)
    .join(', ');
}

interface GapStrip extends Strip {
  length: string;
}

/** The margin that a strip leaves for the points beside it, in pixels; at most a sixth of the strip's width. */
const GAP_MARGIN = 5;

const HATCH_STEP = 7;

/** With more strips than this, vertical texts are left out, because many of them look like a pattern. */
const MOST_UPWARDS = 6;

/** Draws the gaps in view as hatched strips with their lengths. Calls `drawOver` between hatching and texts. */
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
    // Outside the view of a zoomed chart.
    if (end <= x.min || start >= x.max) return [];
    const [left, right] = [x.getPixelForValue(start), x.getPixelForValue(end)];
    const margin = hasEdgePoints ? Math.min(GAP_MARGIN, (right - left) / 6) : 0;
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

/** A mark isn't drawn if it is closer than this to the previous one, in pixels. */
const LEAST_DISTANCE = 8;

const NAME_MARGIN = 5;

/** Draws a line at the start of each day (or month or year) in view, with its name if there is room. */
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
    const place = x.getPixelForValue(position);
    if (place < left || place > right || place - lastLine < LEAST_DISTANCE) continue;
    lastLine = place;
    ctx.globalAlpha = 0.6;
    ctx.beginPath();
    ctx.moveTo(place, hasBegun ? bottom : top);
    ctx.lineTo(place, bottom);
    ctx.stroke();
    const width = ctx.measureText(name).width;
    const start = place + NAME_MARGIN;
    // A name to the left of its line would seem to belong to the day before.
    if (start < lastText || start + width > right) continue;
    lastText = start + width + 2 * NAME_MARGIN;
    ctx.globalAlpha = 1;
    writeOver(chart, name, start, top + 4, OUTLINE);
  }
  ctx.restore();
}
