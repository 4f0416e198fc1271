import type { FieldError } from '../../readings/field-error';
import type { Reading } from '../../readings/reading';

/** What became of a post, as far as the page that sent it can know. */
export type SubmissionOutcome =
  | { kind: 'stored'; reading: Reading }
  | { kind: 'refused'; isKeyRefused: boolean; detail: string; errors: FieldError[] }
  /** No answer came: it may or may not be stored, so it is not sent again. */
  | { kind: 'unknown'; detail: string };

/** Sends values as they are, text or number, to be stored as a reading. Never rejects. */
export type SubmitReading = (values: { co2: unknown; voc: unknown }) => Promise<SubmissionOutcome>;

const TIMEOUT_MS = 15_000;

/**
 * POST /api/data. Never rejects, and never sends twice. Values go as they are, text or number.
 *
 * @param writeKey the server's `WRITE_KEY`, where it asks for one
 */
export async function submitReading(
  values: Parameters<SubmitReading>[0],
  writeKey: string | null,
): Promise<SubmissionOutcome> {
  // What no header can carry is no server's key.
  if (writeKey && !/^[!-~]+$/.test(writeKey)) {
    return { kind: 'refused', isKeyRefused: true, detail: 'That is no write key.', errors: [] };
  }
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const response = await fetch('/api/data', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(writeKey && { Authorization: `Bearer ${writeKey}` }),
      },
      body: JSON.stringify(values),
      signal: timeout.signal,
    });
    const answer = await response.json();
    if (response.status === 201) return { kind: 'stored', reading: answer };
    const { detail, errors = [], mayBeStored = false } = answer;
    if (mayBeStored) return { kind: 'unknown', detail };
    return { kind: 'refused', isKeyRefused: response.status === 401, detail, errors };
  } catch {
    return {
      kind: 'unknown',
      detail: 'No answer came from the server, so it is not known whether the reading was stored.',
    };
  } finally {
    clearTimeout(timer);
  }
}
