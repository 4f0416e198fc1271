import type { Chart } from 'chart.js';
import { at } from '../../../readings/at';
import { LEVELS, type Level } from '../../../readings/level/level';
import type { Metric } from '../../../readings/metric';
import { colorsOf, lineColor } from '../chart-colors';
import { modelOf } from '../chart-model';
import { gapLength } from '../chart-text';
import { clipToArea, fontOf, type Strip, writeInStrip, writeOver } from './draw-over';

export const OUTLINE = 3;

/** A zone of the chart, in pixels from the top of its canvas. */
interface Zone {
  level: Level;
  top: number;
  bottom: number;
}

function zonesOf(chart: Chart): Zone[] {
  const { scale, thresholds } = modelOf(chart);
  const threshold = scale.zonesOf && thresholds[scale.zonesOf.field];
  if (!scale.zonesOf || !threshold) return [];
  const { top, bottom } = chart.chartArea;
  const heightOf = heightsOf(chart, scale.zonesOf);
  const edges = [bottom, heightOf(threshold.good), heightOf(threshold.moderate), top];
  return LEVELS.map((level, i) => ({
    level,
    top: at(edges, i + 1),
    bottom: at(edges, i),
  })).filter((zone) => zone.bottom > zone.top);
}

/** Returns a function that says where a value of a metric lies, or the edge of the plot that is nearest to it. */
function heightsOf(
  { chartArea: { top, bottom }, scales }: Chart,
  { field }: Metric,
): (value: number) => number {
  return (value) => Math.min(Math.max(scales[field]?.getPixelForValue(value) ?? top, top), bottom);
}

/** How opaque a comfortable band is: lines, and zones of the other metric, stay visible through it. */
const BAND_OPACITY = 0.08;

/** Draws the zones, and the comfortable band of a metric that has one. */
export function drawZones(chart: Chart): void {
  const { ctx, chartArea } = chart;
  const color = colorsOf(chart);
  ctx.save();
  for (const { level, top, bottom } of zonesOf(chart)) {
    ctx.fillStyle = color[`zone-${level}`];
    ctx.fillRect(chartArea.left, top, chartArea.width, bottom - top);
  }
  ctx.globalAlpha = BAND_OPACITY;
  for (const metric of modelOf(chart).measured) {
    if (!metric.band) continue;
    const heightOf = heightsOf(chart, metric);
    const top = heightOf(metric.band.to);
    ctx.fillStyle = lineColor(chart, metric);
    ctx.fillRect(chartArea.left, top, chartArea.width, heightOf(metric.band.from) - top);
  }
  ctx.restore();
}

/** Writes the name of its level in each zone, over lines and hatching. */
export function nameZones(chart: Chart): void {
  const { ctx, chartArea } = chart;
  const { small, lineHeight } = fontOf(chart);
  ctx.save();
  ctx.font = small;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  const left = namesLeft(chart);
  for (const { level, top, bottom } of zonesOf(chart)) {
    // The names of the days stand at the top of the chart.
    const textTop = top + 4 + (top === chartArea.top && modelOf(chart).marks.length > 0 ? lineHeight : 0);
    if (textTop + lineHeight > bottom) continue;
    writeOver(chart, level, left, textTop, OUTLINE);
  }
  ctx.restore();
}

const NAMES_WIDTH = 60;

/** Returns where names begin: at the left, or after a time before all readings, which has words of its own. */
function namesLeft(chart: Chart): number {
  const { left, right } = chart.chartArea;
  const end =
    chart.scales.x?.getPixelForValue(modelOf(chart).outside?.before?.to ?? Number.NaN) ?? Number.NaN;
  return (end > left && end + NAMES_WIDTH <= right ? end : left) + 6;
}

/** Draws the thresholds between the zones, over the grid, which has a line there as well. */
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

/** Notes on the figure, for tests, the edges of the plot (`data-area`) and of each zone (`data-zones`) in pixels. */
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

/** Strips leave room for the points beside them, but not more than a sixth of their width. */
const GAP_MARGIN = 5;

const HATCH_STEP = 7;

/** Words that are turned upwards are left out of more strips than this: side by side, they are a pattern. */
const MOST_UPWARDS = 6;

/** Draws the gaps in view as hatched strips with their lengths. `drawOver` draws between hatching and words. */
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

/** Marks closer to the one before than this many pixels are not drawn. */
const LEAST_DISTANCE = 8;

const NAME_MARGIN = 5;

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
    // To the left of its line it would name the day before.
    if (start < lastText || start + width > right) continue;
    lastText = start + width + 2 * NAME_MARGIN;
    ctx.globalAlpha = 1;
    writeOver(chart, name, start, top + 4, OUTLINE);
  }
  ctx.restore();
}
