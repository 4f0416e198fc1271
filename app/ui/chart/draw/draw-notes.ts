import type { Chart } from 'chart.js';
import { colorsOf } from '../chart-colors';
import { modelOf } from '../chart-model';
import { OUTLINE } from './draw-ground';
import { clipToArea, fontOf, writeOver } from './draw-over';

/** Distances in pixels. */
const MARGIN = 5;
const ROOM = 4;

/** A text that would be cut to fewer letters is left out. */
const LEAST_LETTERS = 3;

/** A note in view, with the positions of its rings in pixels. */
interface Marker {
  from: number;
  to: number;
  text: string;
}

/** Draws each note as a dotted line with a ring. A note with a span gets two, with a line between the rings. */
export function drawNotes(chart: Chart): void {
  const markers = markersOf(chart);
  if (markers.length === 0) return;
  const { ctx, chartArea } = chart;
  const { radius, middle } = ringsOf(chart);
  const color = colorsOf(chart);
  clipToArea(chart, radius + 1);
  ctx.strokeStyle = color.muted;
  ctx.fillStyle = color.surface;
  ctx.lineWidth = 1;
  for (const { from, to } of markers) {
    line(ctx, [from, middle], [to, middle]);
    for (const at of new Set([from, to])) {
      ctx.setLineDash([1, 3]);
      line(ctx, [at, middle + radius], [at, chartArea.bottom]);
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.arc(at, middle, radius, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
  }
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, from: [number, number], to: [number, number]): void {
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

/**
 * Writes each note's text to the right of its rings, or to the left if the whole text fits only there. Shortens a text
 * with little room, and leaves out a text without room.
 */
export function nameNotes(chart: Chart): void {
  const markers = markersOf(chart);
  if (markers.length === 0) return;
  const { ctx, chartArea } = chart;
  const { radius, middle } = ringsOf(chart);
  const beside = radius + MARGIN;
  ctx.save();
  ctx.font = fontOf(chart).small;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const rings = markers.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
  // Leave room for the zone names at the left.
  let lastText = chartArea.left + MARGIN + ctx.measureText('moderate').width;
  for (const { from, to, text } of markers) {
    const width = ctx.measureText(text).width;
    const next = rings.find((ring) => ring > to);
    const rightStart = Math.max(to + beside, lastText + ROOM);
    const rightEnd = next === undefined ? chartArea.right : next - radius - ROOM;
    const before = rings.findLast((ring) => ring < from);
    const leftEnd = from - beside;
    const leftStart = Math.max(
      lastText + ROOM,
      before === undefined ? chartArea.left : before + radius + ROOM,
    );
    const isLeft = rightStart + width > rightEnd && leftStart + width <= leftEnd;
    const written = isLeft ? text : shortened(ctx, text, rightEnd - rightStart);
    if (written === '') continue;
    const start = isLeft ? leftEnd - width : rightStart;
    lastText = start + ctx.measureText(written).width;
    writeOver(chart, written, start, middle, OUTLINE, colorsOf(chart).ink);
  }
  ctx.restore();
}

/** Shortens a text to a width, with `…` at its end. Empty if too little fits. */
function shortened(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (ctx.measureText(text).width <= width) return text;
  const letters = [...text];
  for (let count = letters.length - 1; count >= LEAST_LETTERS; count--) {
    const part = `${letters.slice(0, count).join('').trimEnd()}…`;
    if (ctx.measureText(part).width <= width) return part;
  }
  return '';
}

/** Returns the rings' radius and vertical position, which is below the names of the days. */
function ringsOf(chart: Chart) {
  const { lineHeight } = fontOf(chart);
  const radius = Math.round(lineHeight / 3.5);
  const names = modelOf(chart).marks.length > 0 ? lineHeight : 0;
  return { radius, middle: chart.chartArea.top + names + 4 + lineHeight / 2 };
}

/** Returns the notes in view, from left to right. Clips spans to the view. */
function markersOf(chart: Chart): Marker[] {
  const { x } = chart.scales;
  const { left, right } = chart.chartArea;
  if (!x) return [];
  return modelOf(chart)
    .notes.filter(({ start, end }) => end >= x.min && start <= x.max)
    .map(({ start, end, note }) => ({
      from: Math.max(left, x.getPixelForValue(start)),
      to: Math.min(right, x.getPixelForValue(end)),
      text: note.text,
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
}
