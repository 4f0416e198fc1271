import { at } from '../../readings/at';
import type { ChartPoint } from '../../readings/chart/chart-series';
import type { Note } from '../../readings/note';
import type { TimeFormat } from '../../readings/time/local-time';
import { noteTime } from '../notes/use-notes';

/** A note on a chart's time axis, in the axis's unit. */
export interface PlacedNote {
  start: number;
  /** Equals `start` for a moment. */
  end: number;
  note: Note;
}

/**
 * Returns the notes that overlap a chart's view.
 *
 * @param placeOf converts milliseconds since 1970 to a place on the axis
 * @param view the first and the last place in view
 */
export function placeNotes(
  notes: readonly Note[],
  placeOf: (time: number) => number,
  view: { from: number; to: number },
): PlacedNote[] {
  return notes.flatMap((note) => {
    const [start, end] = [note.from, note.to ?? note.from].map((time) => placeOf(Date.parse(time)));
    if (start === undefined || end === undefined || end < view.from || start > view.to) return [];
    return [{ start, end, note }];
  });
}

/** The most notes in a chart's description. */
const MOST_DESCRIBED = 5;

/** Describes notes for screen readers: `2 notes: candles, 8:05; window, 9:00 to 9:12.` */
export function describeNotes(placed: readonly PlacedNote[], now: Date | null, format: TimeFormat): string {
  if (placed.length === 0) return '';
  const count = placed.length === 1 ? 'One note' : `${placed.length} notes`;
  if (!now) return `${count}.`;
  const texts = placed
    .slice(-MOST_DESCRIBED)
    .map(({ note }) => `${note.text}, ${noteTime(note, now, format)}`);
  return `${count}${placed.length > MOST_DESCRIBED ? ', the last ones' : ''}: ${texts.join('; ')}.`;
}

/** Returns the notes at a point: those whose span contains it, and those that begin or end nearest to it. */
export function notesAt(
  point: ChartPoint,
  {
    points,
    positions,
    notes,
  }: { points: readonly ChartPoint[]; positions: readonly number[]; notes: readonly PlacedNote[] },
): Note[] {
  if (notes.length === 0) return [];
  const place = at(positions, points.indexOf(point));
  const isNearest = (time: number) =>
    positions.every((other) => Math.abs(other - time) >= Math.abs(place - time));
  return notes
    .filter(({ start, end }) => (start <= place && place <= end) || isNearest(start) || isNearest(end))
    .map(({ note }) => note);
}
