import { useCallback } from 'react';
import { type SubmitReading, submitReading } from './submit-reading';
import { useWriteKey } from './use-write-key';

/** This browser's permission to submit readings. */
export interface WriteAccess {
  /** Submits a reading; null if a write key is needed and this browser has none. */
  submit: SubmitReading | null;
  /** True if the page should ask for the key. */
  isKeyMissing: boolean;
  /** True until `localStorage` has been read: the page has what needs the key, and what asks for it (`WriteKeyNote`). */
  isKeyUnknown: boolean;
  /** True if the server rejected the last key. */
  isKeyRejected: boolean;
  rememberKey(key: string): void;
}

/**
 * Lets this browser submit readings. If the server needs a `WRITE_KEY`, the viewer has to enter it first. The
 * key stays in this browser, and is removed if the server rejects it.
 *
 * @param sensor whose readings are submitted
 */
export function useWriteAccess(isKeyNeeded: boolean, sensor: string): WriteAccess {
  const { key, rejectKey, ...access } = useWriteKey(isKeyNeeded);

  const submit = useCallback<SubmitReading>(
    async (values) => {
      const outcome = await submitReading(values, sensor, key ?? null);
      if (outcome.kind === 'rejected' && outcome.isKeyRejected) rejectKey();
      return outcome;
    },
    [key, sensor, rejectKey],
  );

  return {
    ...access,
    submit: isKeyNeeded && key === null ? null : submit,
    isKeyMissing: isKeyNeeded && !key,
    isKeyUnknown: isKeyNeeded && key === undefined,
  };
}
