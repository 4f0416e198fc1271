/** A remark by a person about a moment or a span of a sensor's readings, such as `candles`. */
export interface NoteInput {
  /** `UNNAMED` for the unnamed sensor. */
  sensor: string;
  /** ISO 8601 in UTC with `Z`, as in readings. */
  from: string;
  /** The end of a span, after `from`; null for a moment. */
  to: string | null;
  /** 1 to `MAX_NOTE_CHARACTERS` characters on one line, trimmed. */
  text: string;
}

export interface Note extends NoteInput {
  /** Unique, assigned by the store. */
  id: number;
}

/** The most characters of a note, counted as Unicode code points. */
export const MAX_NOTE_CHARACTERS = 200;
