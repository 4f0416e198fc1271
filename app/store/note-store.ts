import type { Note, NoteInput } from '../readings/note';

/** Selects notes. An empty query selects all of them. */
export interface NoteQuery {
  /** `UNNAMED` for the unnamed sensor. */
  sensor?: string;
  /** Selects notes that end at or after this time, ISO 8601 in UTC with `Z`. A note about a moment ends when it begins. */
  from?: string;
  /** Selects notes that begin before this time. */
  to?: string;
  signal?: AbortSignal;
}

/** Keeps notes. Every method fails with `StoreUnavailableError` when the store can't be reached. */
export interface NoteStore {
  /**
   * Stores a note and resolves once the note is durable. The sensor need not have readings.
   *
   * @throws ReadingRejectedError if the store will never accept the note, such as a note from before 2000 in a Supabase project
   */
  add(note: NoteInput): Promise<Note>;
  /** Returns the newest `MAX_NOTES` selected notes, ordered by `from`, then by id. */
  list(query: NoteQuery): Promise<Note[]>;
  /**
   * Removes a note. Returns false if no note has this id. In a Supabase project without the secret key, it fails with
   * `StoreUnavailableError`.
   */
  remove(id: number): Promise<boolean>;
}

/** The most notes in an answer. */
export const MAX_NOTES = 1000;
