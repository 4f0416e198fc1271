import { askServer, ServerError } from '../../live/browser/ask-server';
import type { FieldError } from '../../readings/field-error';
import type { MetricField } from '../../readings/metric';
import type { Reading } from '../../readings/reading';

/** The values of each metric to submit as they are, text or number; the server validates them. */
export type SubmittedValues = Record<MetricField, unknown>;

/** The result of submitting a reading, as far as the browser can know it. */
export type SubmissionOutcome =
  | { kind: 'stored'; reading: Reading }
  | { kind: 'rejected'; isKeyRejected: boolean; detail: string; errors: FieldError[] }
  /** The reading may or may not be stored, so it must not be sent again. */
  | { kind: 'unknown'; detail: string };

/** Submits a reading. Never rejects. */
export type SubmitReading = (values: SubmittedValues) => Promise<SubmissionOutcome>;

const TIMEOUT_MS = 15_000;
const UNKNOWN = "The server didn't answer. The reading may or may not be stored.";

/**
 * Submits a reading with `POST /api/data`. Never rejects and never retries.
 *
 * @param sensor whose reading it is; `UNNAMED` for the unnamed sensor
 * @param writeKey the server's `WRITE_KEY`, or null if it has none
 */
export async function submitReading(
  values: SubmittedValues,
  sensor: string,
  writeKey: string | null,
): Promise<SubmissionOutcome> {
  try {
    const { value } = await askServer<Reading>('/api/data', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...values, ...(sensor && { sensor }) }),
      timeoutMs: TIMEOUT_MS,
      writeKey,
    });
    return { kind: 'stored', reading: value };
  } catch (error) {
    const { status, problem } = error instanceof ServerError ? error : {};
    // Without the server's own words, the request may have reached it.
    if (!problem) return { kind: 'unknown', detail: UNKNOWN };
    const { detail, errors = [], mayBeStored = false } = problem;
    if (mayBeStored) return { kind: 'unknown', detail };
    return { kind: 'rejected', isKeyRejected: status === 401, detail, errors };
  }
}
