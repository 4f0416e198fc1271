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
  // A header can't carry other characters, so no server has such a key.
  if (writeKey && !/^[!-~]+$/.test(writeKey)) {
    return { kind: 'rejected', isKeyRejected: true, detail: "That isn't a valid write key.", errors: [] };
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
      body: JSON.stringify({ ...values, ...(sensor && { sensor }) }),
      signal: timeout.signal,
    });
    const body = await response.json();
    if (response.status === 201) return { kind: 'stored', reading: body };
    const { detail, errors = [], mayBeStored = false } = body;
    if (mayBeStored) return { kind: 'unknown', detail };
    return { kind: 'rejected', isKeyRejected: response.status === 401, detail, errors };
  } catch {
    return { kind: 'unknown', detail: "The server didn't answer. The reading may or may not be stored." };
  } finally {
    clearTimeout(timer);
  }
}
