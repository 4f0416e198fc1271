import { useCallback, useRef, useState } from 'react';
import { askServer, ServerError } from '../../live/browser/ask-server';
import type { FieldError } from '../../readings/field-error';
import type { MetricField } from '../../readings/metric';
import type { Reading } from '../../readings/reading';
import { Notice } from '../card';
import { LocalTime } from '../local-time';
import { formatReading } from '../readings-table';

/** The values of some metrics, as numbers or as typed text. */
export type SubmittedValues = { [F in MetricField]?: unknown };

export type SubmissionOutcome =
  | { kind: 'stored'; reading: Reading }
  | { kind: 'rejected'; isKeyRejected: boolean; detail: string; errors: FieldError[] }
  /** The reading may or may not be stored, so it must not be sent again. */
  | { kind: 'unknown'; detail: string };

export type SubmitReading = (values: SubmittedValues) => Promise<SubmissionOutcome>;

const TIMEOUT_MS = 15_000;
const UNKNOWN = "The server didn't answer. The reading may or may not be stored.";

/** Submits a sensor's reading with `POST /api/data`. Never rejects, never retries. `writeKey` is null if there is no key. */
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
    // Without a problem document from airboard, the request may have been processed.
    if (!problem) return { kind: 'unknown', detail: UNKNOWN };
    const { detail, errors = [], mayBeStored = false } = problem;
    if (mayBeStored) return { kind: 'unknown', detail };
    return { kind: 'rejected', isKeyRejected: status === 401, detail, errors };
  }
}

/**
 * Returns true if the server says that a write key is wrong. It checks the key before the body, so an empty batch stores nothing. A key
 * that can't be checked now isn't wrong.
 */
export async function isWrongKey(writeKey: string): Promise<boolean> {
  const refusal = await askServer('/api/data', { method: 'POST', body: '[]', writeKey }).catch(
    (error: unknown) => error,
  );
  return refusal instanceof ServerError && refusal.status === 401;
}

/** The delay of the "Sending…" text, which would only flicker if the response is faster. */
const SENDING_AFTER_MS = 300;

/** The state of the last submission: its outcome, or `sending` while the response is slow. */
type SubmissionState = SubmissionOutcome | { kind: 'sending' };

/** Submits readings and keeps the state of the last submission. Ignores responses to earlier ones. */
export function useSubmission(submit: SubmitReading) {
  const [submission, setSubmission] = useState<SubmissionState | null>(null);
  const lastNumber = useRef(0);
  const pending = useRef(0);

  const send = useCallback(
    async (values: SubmittedValues): Promise<void> => {
      lastNumber.current += 1;
      pending.current += 1;
      const number = lastNumber.current;
      const isLast = () => number === lastNumber.current;
      const timer = setTimeout(() => isLast() && setSubmission({ kind: 'sending' }), SENDING_AFTER_MS);
      const outcome = await submit(values);
      clearTimeout(timer);
      pending.current -= 1;
      if (isLast()) setSubmission(outcome);
    },
    [submit],
  );

  const isSending = () => pending.current > 0;
  return { submission, send, isSending };
}

interface SubmissionResultProps {
  submission: SubmissionState | null;
  /** True for automatic submissions: screen readers don't read out their results. */
  isSilent?: boolean;
  /** True to show a stored reading only to screen readers, because it appears elsewhere on the page. */
  isHidden?: boolean;
}

/**
 * The result of a submission, announced once. Errors of fields are shown next to the fields instead. The status element is
 * rendered from the start, because screen readers miss one that appears together with its text.
 */
export function SubmissionResult({ submission, isSilent = false, isHidden = false }: SubmissionResultProps) {
  return (
    <>
      <p role={isSilent ? undefined : 'status'} className={isHidden ? 'sr-only' : 'text-rise'}>
        {submission?.kind === 'stored' && <StoredReading reading={submission.reading} />}
      </p>
      {submission?.kind === 'sending' && <p>Sending…</p>}
      {(submission?.kind === 'rejected' || submission?.kind === 'unknown') && (
        <Notice isSilent={isSilent}>{submission.detail}</Notice>
      )}
    </>
  );
}

function StoredReading({ reading }: { reading: Reading }) {
  return (
    <>
      Stored as reading {reading.id}
      {reading.sensor && (
        <>
          {' of '}
          <bdi>{reading.sensor}</bdi>
        </>
      )}
      : {formatReading(reading)} at <LocalTime time={reading.created_at} />
    </>
  );
}
