import type { Note, NoteInput } from '../../readings/note';
import { MAX_NOTES, type NoteStore } from '../note-store';
import { exactUtc } from './reading-row';
import { noteAnswer, noteError, type Project, queryError, secretKeyError } from './supabase-errors.server';
import { anySignal, type PostgrestResult, type supabaseQueries } from './supabase-queries.server';

/** Times are in Postgres's format. */
interface NoteRow {
  id: number;
  sensor: string;
  begins_at: string;
  ends_at: string | null;
  text: string;
}

/**
 * Stores notes in a Supabase project. The public key may read and add them.
 *
 * @param mayRemove true with the secret key
 */
export function supabaseNotes(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  timeoutMs: number,
  mayRemove: boolean,
): NoteStore {
  function rowsOf(result: PostgrestResult, errorOf: typeof noteError | typeof queryError): NoteRow[] {
    noteAnswer(result, project);
    if (result.error || !Array.isArray(result.data)) throw errorOf(result, project);
    return result.data;
  }

  return {
    async add(note) {
      const result = await queries.addNote(rowOf(note), AbortSignal.timeout(timeoutMs));
      const [stored] = rowsOf(result, noteError).map(toNote);
      if (!stored) throw noteError(result, project);
      return stored;
    },
    async list({ sensor, from, to, signal }) {
      const asked = { of_sensor: sensor ?? null, since: from ?? null, until: to ?? null, at_most: MAX_NOTES };
      const deadline = anySignal(AbortSignal.timeout(timeoutMs), signal);
      return rowsOf(await queries.call('list_notes', asked, deadline), queryError).map(toNote);
    },
    async remove(id) {
      if (!mayRemove) throw secretKeyError("Deleting a Supabase project's notes");
      return rowsOf(await queries.removeNote(id, AbortSignal.timeout(timeoutMs)), queryError).length > 0;
    },
  };
}

function rowOf({ sensor, from, to, text }: NoteInput): Omit<NoteRow, 'id'> {
  return { sensor, begins_at: from, ends_at: to, text };
}

function toNote({ id, sensor, begins_at, ends_at, text }: NoteRow): Note {
  const exact = (time: string) => exactUtc(time) ?? time;
  return {
    id: Number(id),
    sensor,
    from: exact(begins_at),
    to: ends_at === null ? null : exact(ends_at),
    text,
  };
}
