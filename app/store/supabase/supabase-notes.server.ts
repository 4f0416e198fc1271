import type { Note, NoteInput } from '../../readings/note';
import { MAX_NOTES, type NoteStore } from '../note-store';
import { readableUtc } from './reading-row';
import { noteError, queryError, secretKeyError } from './supabase-errors.server';
import type { PostgrestResult, Project, supabaseQueries } from './supabase-queries.server';

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
  mayRemove: boolean,
): NoteStore {
  function rowsOf(result: PostgrestResult, errorOf: typeof noteError | typeof queryError): NoteRow[] {
    if (result.error || !Array.isArray(result.data)) throw errorOf(result, project);
    return result.data;
  }

  return {
    async add(note) {
      const result = await queries.addNote(rowOf(note), queries.newDeadline());
      const [stored] = rowsOf(result, noteError).map(toNote);
      if (!stored) throw noteError(result, project);
      return stored;
    },
    async list({ sensor, from, to, signal }) {
      const asked = { of_sensor: sensor ?? null, since: from ?? null, until: to ?? null, at_most: MAX_NOTES };
      const result = await queries.call('list_notes', asked, queries.newDeadline(signal));
      return rowsOf(result, queryError).map(toNote);
    },
    async remove(id) {
      if (!mayRemove) throw secretKeyError("Deleting a Supabase project's notes");
      return rowsOf(await queries.removeNote(id, queries.newDeadline()), queryError).length > 0;
    },
  };
}

function rowOf({ sensor, from, to, text }: NoteInput): Omit<NoteRow, 'id'> {
  return { sensor, begins_at: from, ends_at: to, text };
}

function toNote({ id, sensor, begins_at, ends_at, text }: NoteRow): Note {
  return {
    id: Number(id),
    sensor,
    from: readableUtc(begins_at),
    to: ends_at === null ? null : readableUtc(ends_at),
    text,
  };
}
