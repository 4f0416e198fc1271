import { useLive } from '../../live/browser/use-live';
import type { Note } from '../../readings/note';
import { formatTimeSpan, formatWithDay, type TimeFormat } from '../../readings/time/local-time';

/** Links to `/history` with this hash open the form for a note. */
export const ADD_NOTE = '#add-note';

export interface ShownNotes {
  /** Oldest first. While a new span loads, the notes of the previous one. */
  notes: readonly Note[];
  /** The reason why the notes can't be loaded. */
  problem: string | null;
  hasLoaded: boolean;
  reload(): void;
}

const NONE: readonly Note[] = [];

/**
 * Loads a sensor's notes. Notes that other viewers add appear at the next load.
 *
 * @param from milliseconds since 1970; null while unknown
 * @param to the end of the span; undefined for all later notes
 */
export function useNotes(sensor: string, from: number | null, to?: number): ShownNotes {
  const question = from === null ? null : { address: notesAddress(sensor, from, to), sensor };
  const { answered, failure, again } = useLive<Note[], { address: string; sensor: string }>(question);
  const isOfSensor = answered?.question.sensor === sensor;
  return {
    notes: isOfSensor ? answered.answer : NONE,
    problem: failure?.message ?? null,
    hasLoaded: isOfSensor,
    reload: () => again(0),
  };
}

/** Returns the address of a sensor's notes, as JSON or as a CSV file. */
export function notesAddress(sensor: string, from: number, to?: number, format?: 'csv'): string {
  const query = new URLSearchParams({ sensor, from: new Date(from).toISOString() });
  if (to !== undefined) query.set('to', new Date(to).toISOString());
  if (format) query.set('format', format);
  return `/api/notes?${query}`;
}

/** Formats a note's time or span: `21 Nov 8:05` or `21 Nov 8:05 to 9:10`. */
export function noteTime({ from, to }: Note, now: Date, format: TimeFormat): string {
  if (to === null) return formatWithDay(new Date(from), now, format);
  return formatTimeSpan([new Date(from), new Date(to)], now, format, ' to ');
}
