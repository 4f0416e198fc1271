import { useCallback, useState } from 'react';
import { useBeforePaint } from '../use-before-paint';

/** The name of the key in `localStorage`. */
export const STORAGE_KEY = 'airboard.write-key';

/** The write key of the server, as far as this browser has it. */
export interface WriteKey {
  /** Undefined until `localStorage` has been read, which the server can't do; null if this browser has none. */
  key: string | null | undefined;
  /** True if the server rejected the last key. */
  isKeyRejected: boolean;
  rememberKey(key: string): void;
  /** Removes the key, because the server rejected it. */
  rejectKey(): void;
}

/** Keeps the server's `WRITE_KEY` in this browser, once a viewer has entered it. */
export function useWriteKey(isKeyNeeded: boolean): WriteKey {
  const [key, setKey] = useState<string | null | undefined>(undefined);
  const [isKeyRejected, setKeyRejected] = useState(false);

  // A viewer who comes from another page sees the form only if there is no key.
  useBeforePaint(() => {
    if (isKeyNeeded) setKey(loadKey());
  }, [isKeyNeeded]);

  const rememberKey = useCallback((newKey: string) => {
    saveKey(newKey);
    setKey(newKey);
    setKeyRejected(false);
  }, []);

  const rejectKey = useCallback(() => {
    saveKey(null);
    setKey(null);
    setKeyRejected(true);
  }, []);

  return { key, isKeyRejected, rememberKey, rejectKey };
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
