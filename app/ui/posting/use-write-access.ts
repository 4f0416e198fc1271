import { useCallback, useEffect, useState } from 'react';
import { type SubmitReading, submitReading } from './submit-reading';

const STORAGE_KEY = 'airboard.write-key';

/** This browser's permission to submit readings. */
export interface WriteAccess {
  /** Submits a reading; null while a write key is needed and this browser has none. */
  submit: SubmitReading | null;
  /** True if the page should ask for the key; false until `localStorage` has been read. */
  isKeyMissing: boolean;
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
  // Undefined until `localStorage` has been read, which the server can't do.
  const [key, setKey] = useState<string | null | undefined>(undefined);
  const [isKeyRejected, setKeyRejected] = useState(false);

  useEffect(() => {
    if (isKeyNeeded) setKey(loadKey());
  }, [isKeyNeeded]);

  const submit = useCallback<SubmitReading>(
    async (values) => {
      const outcome = await submitReading(values, sensor, key ?? null);
      if (outcome.kind === 'rejected' && outcome.isKeyRejected) {
        saveKey(null);
        setKey(null);
        setKeyRejected(true);
      }
      return outcome;
    },
    [key, sensor],
  );

  return {
    submit: isKeyNeeded && !key ? null : submit,
    isKeyMissing: isKeyNeeded && key === null,
    isKeyRejected,
    rememberKey(newKey) {
      saveKey(newKey);
      setKey(newKey);
      setKeyRejected(false);
    },
  };
}

/** Browsers can deny access to `localStorage`; the key then lasts as long as the page. */
function loadKey(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function saveKey(key: string | null): void {
  try {
    if (key === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, key);
  } catch {
    // See `loadKey`.
  }
}
