import type { FieldError } from './parse-reading';
import type { Reading } from './reading';

/** What became of a post, as far as the page that sent it can know. */
export type PostOutcome =
  | { kind: 'stored'; reading: Reading }
  | { kind: 'refused'; isKeyRefused: boolean; detail: string; errors: FieldError[] }
  /** No answer came: it may or may not be stored, so it is not sent again. */
  | { kind: 'unknown'; detail: string };

/** Sends values as they are, text or number, to be stored as a reading. Never rejects. */
export type PostReading = (values: { co2: unknown; voc: unknown }) => Promise<PostOutcome>;
