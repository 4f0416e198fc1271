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

/** Control characters and the other line breaks, which would end the line. */
const OFF_LINE = /[\p{Cc}\u2028\u2029]/u;
/** Spaces and characters without a glyph, such as U+200B. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;
/** Half of a surrogate pair, which UTF-8 can't encode. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Returns the reason why a note can't have this (trimmed) text; null if it can. */
export function noteTextFault(text: string): string | null {
  if (INVISIBLE.test(text)) return 'is empty: say what happened, such as "window"';
  const { length } = [...text];
  if (length > MAX_NOTE_CHARACTERS) {
    return `has ${length} characters: send at most ${MAX_NOTE_CHARACTERS}`;
  }
  if (OFF_LINE.test(text)) return 'has a control character or a line break: send one line of plain text';
  return LONE_SURROGATE.test(text) ? 'has half of a character: send both halves of its surrogate pair' : null;
}
