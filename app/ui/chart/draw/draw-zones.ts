import type { Chart } from 'chart.js';
import { LEVELS, type Level } from '../../../readings/level/level';
import { colorsOf } from '../chart-colors';
import { modelOf } from '../chart-data';
import { fontOf } from '../chart-font';
import type { HistoryModel } from '../history-model';
import { writeOver } from './draw-over';

/** The width of the outline of names, in pixels. */
const OUTLINE = 3;

/** A zone of the chart, in pixels from the top of its canvas. */
interface Zone {
  level: Level;
  top: number;
  bottom: number;
}

/** Returns the zones that are in view, the lowest first. */
export function zonesOf(chart: Chart): Zone[] {
  const { scale, thresholds } = modelOf(chart);
  const { field } = scale.zonesOf;
  const { good, moderate } = thresholds[field];
  const { top, bottom } = chart.chartArea;
  const heightOf = (limit: number) => {
    const y = chart.scales[field]?.getPixelForValue(limit) ?? top;
    return Math.min(Math.max(y, top), bottom);
  };
  const edges = [bottom, heightOf(good), heightOf(moderate), top];
  return LEVELS.map((level, i) => ({
    level,
    top: edges[i + 1] as number,
    bottom: edges[i] as number,
  })).filter((zone) => zone.bottom > zone.top);
}

/** Draws the zones. */
export function drawZones(chart: Chart): void {
  const { ctx, chartArea } = chart;
  const color = colorsOf(chart);
  ctx.save();
  for (const { level, top, bottom } of zonesOf(chart)) {
    ctx.fillStyle = color[`zone-${level}`];
    ctx.fillRect(chartArea.left, top, chartArea.width, bottom - top);
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

/** The names need this many pixels. */
const NAMES_WIDTH = 60;

/** Returns where names begin: at the left, or after a time before all readings, which has words of its own. */
function namesLeft(chart: Chart): number {
  const { left, right } = chart.chartArea;
  const { outside } = modelOf(chart) as Partial<HistoryModel>;
  const end = chart.scales.x?.getPixelForValue(outside?.before?.to ?? Number.NaN) ?? Number.NaN;
  return (end > left && end + NAMES_WIDTH <= right ? end : left) + 6;
}

/** Draws the limits between the zones, over the grid, which has a line there as well. */
export function drawLimits(chart: Chart): void {
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

/**
 * Notes on the figure around the chart where it has drawn, for tests: `data-area` has the left, top, right and bottom edge,
 * `data-zones` the top and bottom of each level, in pixels from the left or the top of the canvas.
 */
export function noteZones(chart: Chart): void {
  const figure = chart.canvas?.closest('figure');
  if (!figure) return;
  const { left, right, top, bottom } = chart.chartArea;
  figure.dataset.area = [left, top, right, bottom].map(Math.round).join(' ');
  figure.dataset.zones = zonesOf(chart)
    .map((zone) => `${zone.level} ${Math.round(zone.top)} ${Math.round(zone.bottom)}`)
    .join(', ');
}
