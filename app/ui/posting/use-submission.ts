import { useCallback, useRef, useState } from 'react';
import type { SubmissionOutcome, SubmitReading } from './submit-reading';

/** An answer that takes longer than this is waited for with a word; a shorter wait would only flicker. */
const SENDING_AFTER_MS = 300;

/** What a panel tells of a post: what became of it, or that its answer is waited for. */
export type SubmissionState = SubmissionOutcome | { kind: 'sending' };

/** Posting with what became of the last post; an answer that a later press has overtaken is not shown. */
export function useSubmission(post: SubmitReading) {
  const [outcome, setOutcome] = useState<SubmissionState | null>(null);
  const presses = useRef(0);
  const onTheirWay = useRef(0);

  const send = useCallback(
    async (values: Parameters<SubmitReading>[0]): Promise<void> => {
      presses.current += 1;
      onTheirWay.current += 1;
      const own = presses.current;
      const timer = setTimeout(
        () => own === presses.current && setOutcome({ kind: 'sending' }),
        SENDING_AFTER_MS,
      );
      const became = await post(values);
      clearTimeout(timer);
      onTheirWay.current -= 1;
      if (own === presses.current) setOutcome(became);
    },
    [post],
  );

  /** Whether an answer is still to come, from the press on. */
  const isSending = () => onTheirWay.current > 0;
  return { outcome, send, isSending };
}
