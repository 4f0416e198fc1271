import type { FieldError } from '../readings/field-error';
import { ReadingRejectedError, StoreUnavailableError } from '../store/reading-store';

/** The response to a refused write: HTTP status, reason, and headers. */
export interface WriteRefusal {
  status: number;
  detail: string;
  errors?: FieldError[];
  /** More members of the response's body. */
  members?: Record<string, unknown>;
  /** Set if sending the readings again could store some of them twice. */
  mayBeStored?: true;
  headers?: Record<string, string>;
  /** Set if the rest of the request isn't read. */
  closesConnection?: true;
}

/** The response to a write: the status and JSON of a successful one, or a refusal. */
export type WriteAnswer =
  | { ok: true; status: number; value: unknown /** A line for the log. */; detail?: string }
  | ({ ok: false } & WriteRefusal);

/** Returns the refusal for an error of the store, while it writes or reads. Throws any other error again. */
export function refusalOf(error: unknown): WriteRefusal {
  if (error instanceof ReadingRejectedError) return { status: 400, detail: error.message };
  if (!(error instanceof StoreUnavailableError)) throw error;
  const headers = { 'Retry-After': String(error.retryAfterSeconds) };
  return { status: 503, detail: error.message, headers };
}
