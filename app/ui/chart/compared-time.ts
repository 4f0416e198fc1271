import { at } from '../../readings/at';
import { formatWithUnit } from '../../readings/format/format-value';
import type { HistoryAnswer } from '../../readings/history/history-answer';
import { MAIN_METRICS, type Metric } from '../../readings/metric';
import { HOUR_MS } from '../../readings/time/durations';
import { type CalendarUnit, isWithin, type Span, unitAround } from '../../readings/time/history-span';
import type { HistoryPoints } from './history-points';

/** A part of a span. Each time in it is compared with the time `shift` milliseconds earlier. */
export interface ComparedPiece extends Span {
  shift: number;
}

export interface ComparedHistory {
  answer: HistoryAnswer;
  unit: CalendarUnit;
  pieces: readonly ComparedPiece[];
}

/** Clocks change only at multiples of this, in UTC. */
const QUARTER_MS = 900_000;

/** Splits a span into pieces with one `shift` each. Leaves out times without a counterpart, such as 30 February. */
export function comparedPieces(span: Span, unit: CalendarUnit): ComparedPiece[] {
  const pieces: ComparedPiece[] = [];
  const add = (from: number, to: number, shift: number | null) => {
    if (shift === null) return;
    const last = pieces.at(-1);
    if (last?.to === from && last.shift === shift) last.to = to;
    else pieces.push({ from, to, shift });
  };
  for (const day of cut(span, (time) => unitAround('day', new Date(time)).to)) {
    const shift = shiftOf(day.from, unit);
    if (shift !== null && shift === shiftOf(day.to - 1, unit)) add(day.from, day.to, shift);
    else
      for (const { from, to } of cut(day, (time) => (Math.floor(time / QUARTER_MS) + 1) * QUARTER_MS))
        add(from, to, shiftOf(from, unit));
  }
  return pieces;
}

function cut({ from, to }: Span, endOf: (time: number) => number): Span[] {
  const parts: Span[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(endOf(start), to);
    parts.push({ from: start, to: end });
    start = end;
  }
  return parts;
}

/** Returns the milliseconds since the same local time a day, week, month or year before; null if there is no such time. */
function shiftOf(ms: number, unit: CalendarUnit): number | null {
  const time = new Date(ms);
  const wanted = new Date(wallClock(time));
  const date = wanted.getUTCDate();
  if (unit === 'day') wanted.setUTCDate(date - 1);
  else if (unit === 'week') wanted.setUTCDate(date - 7);
  else wanted.setUTCMonth(wanted.getUTCMonth() - (unit === 'month' ? 1 : 12));
  const before = new Date(ms);
  before.setFullYear(wanted.getUTCFullYear(), wanted.getUTCMonth(), wanted.getUTCDate());
  const hasDay = unit === 'day' || unit === 'week' || wanted.getUTCDate() === date;
  return hasDay && wallClock(before) === wanted.getTime() ? ms - before.getTime() : null;
}

/** Returns the local clock time as if it were UTC, which has no clock changes. */
function wallClock(time: Date): number {
  return time.getTime() - time.getTimezoneOffset() * 60_000;
}

export function piecesUntil(pieces: readonly ComparedPiece[], end: number): ComparedPiece[] {
  return pieces
    .map((piece) => ({ ...piece, to: Math.min(piece.to, end + piece.shift) }))
    .filter(({ from, to }) => from < to);
}

/** Moves earlier points to their places in a span. Lines break at times without a counterpart. */
export function moveToPieces(before: HistoryPoints, pieces: readonly ComparedPiece[]): HistoryPoints {
  const moved: HistoryPoints = { points: [], positions: [], gaps: [] };
  pieces.forEach((piece, i) => {
    const end = pieces[i - 1]?.to ?? piece.from;
    let gap = end < piece.from ? { from: isoOf(end), to: isoOf(piece.from) } : null;
    before.positions.forEach((position, index) => {
      const point = before.points[index];
      if (!point || !isWithin(position + piece.shift, piece)) return;
      moved.points.push(gap ? { ...point, gapBefore: gap } : point);
      moved.positions.push(position + piece.shift);
      gap = null;
    });
  });
  return moved;
}

const isoOf = (time: number) => new Date(time).toISOString();

/**
 * Adds the earlier values to each point in a piece: `day before: 812 PPM, 120 PPB`.
 *
 * @param before the earlier points, moved to the pieces
 * @param stepMs the length of a step; earlier points further away than this are ignored
 */
export function comparedNotes(
  history: HistoryPoints,
  before: HistoryPoints,
  { unit, pieces, stepMs }: Pick<ComparedHistory, 'unit' | 'pieces'> & { stepMs: number },
  drawn: readonly Metric[] = MAIN_METRICS,
): HistoryPoints {
  let next = 0;
  const points = history.points.map((point, i) => {
    const position = at(history.positions, i);
    const distanceTo = (index: number) =>
      Math.abs((before.positions[index] ?? Number.POSITIVE_INFINITY) - position);
    while (next + 1 < before.points.length && distanceTo(next + 1) <= distanceTo(next)) next++;
    const found = before.points[next];
    if (!found || distanceTo(next) > stepMs || !pieces.some((piece) => isWithin(position, piece)))
      return point;
    const values = drawn.flatMap((metric) => {
      const summary = found[metric.field];
      return summary ? formatWithUnit(metric, summary.average) : [];
    });
    return values.length > 0 ? { ...point, note: `${unit} before: ${values.join(', ')}` } : point;
  });
  return { ...history, points };
}

/**
 * Names the earlier time, with its coverage if less than nine tenths have readings: `month before, readings on 3 of 30 days`.
 * Up to two days are counted in hours.
 *
 * @param positions the positions of the earlier points, moved to the pieces
 */
export function nameCompared(
  { unit, pieces }: Pick<ComparedHistory, 'unit' | 'pieces'>,
  positions: readonly number[],
): string {
  const name = `${unit} before`;
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return name;
  const lengthMs = last.to - first.from;
  const [word, on, partMs] =
    lengthMs > 48 * HOUR_MS ? ['days', 'on', 24 * HOUR_MS] : ['hours', 'in', HOUR_MS];
  const parts = Math.round(lengthMs / Number(partMs));
  const measured = new Set(positions.map((at) => Math.floor((at - first.from) / Number(partMs)))).size;
  return measured < 0.9 * parts ? `${name}, readings ${on} ${measured} of ${parts} ${word}` : name;
}
