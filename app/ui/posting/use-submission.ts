import { useCallback, useRef, useState } from 'react';
import type { SubmissionOutcome, SubmitReading, SubmittedValues } from './submit-reading';

/** A faster response would only make the "Sending…" text flicker. */
const SENDING_AFTER_MS = 300;

/** The state of the last submission: its outcome, or `sending` while the response is slow. */
export type SubmissionState = SubmissionOutcome | { kind: 'sending' };

/** Submits readings and keeps the state of the last submission; responses to earlier ones are not shown. */
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

  /** True from the call of `send` until its response. */
  const isSending = () => pending.current > 0;
  return { submission, send, isSending };
}
