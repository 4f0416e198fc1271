import { useCallback, useEffect, useState } from 'react';
import { askServer } from '../../live/browser/ask-server';
import type { Note } from '../../readings/note';
import { formatTimeSpan, formatWithDay, type TimeFormat } from '../../readings/time/local-day';

/** Links to `/history` with this hash open the form for a note. */
export const ADD_NOTE = '#add-note';

/** A failed request is repeated after this long. */
const RETRY_MS = 30_000;

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
  const [loaded, setLoaded] = useState<{ sensor: string; notes: readonly Note[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((turn) => turn + 1), []);
  const address = from === null ? null : notesAddress(sensor, from, to);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `turn` reloads the same address.
  useEffect(() => {
    if (address === null) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      try {
        const { value } = await askServer<Note[]>(address, { signal: leaving.signal });
        if (leaving.signal.aborted) return;
        setLoaded({ sensor, notes: value });
        setProblem(null);
      } catch (error) {
        if (leaving.signal.aborted) return;
        setProblem((error as Error).message);
        timer = setTimeout(load, RETRY_MS);
      }
    };
    load();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [address, sensor, turn]);

  const isOfSensor = loaded?.sensor === sensor;
  return { notes: isOfSensor ? loaded.notes : NONE, problem, hasLoaded: isOfSensor, reload };
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
