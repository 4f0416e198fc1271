import { useRouteLoaderData } from '@remix-run/react';
import { useCallback, useEffect, useState } from 'react';
import type { SubmitReading } from './submit-reading';
import { submitReading } from './submit-reading';

const STORAGE_KEY = 'airboard.write-key';

/** How this browser may write. */
export interface WriteAccess {
  /** Sends a reading; null where a key is needed that this browser does not know (yet). */
  post: SubmitReading | null;
  /** Whether to ask for the key: never before the browser's storage has been looked at. */
  isKeyAsked: boolean;
  /** Whether the key that was given last was refused. */
  isKeyRefused: boolean;
  rememberKey(key: string): void;
}

/**
 * Posting from this browser: with a `WRITE_KEY` only once the key has been given here, so that no visitor
 * spoils real data. The key is kept in this browser alone, and forgotten when the server refuses it.
 */
export function useWriteAccess(): WriteAccess {
  const isKeyNeeded = useRouteLoaderData<{ isKeyNeeded: boolean }>('root')?.isKeyNeeded ?? false;
  // Undefined until the storage has been looked at: the server has none.
  const [key, setKey] = useState<string | null | undefined>(undefined);
  const [isKeyRefused, setKeyRefused] = useState(false);

  useEffect(() => {
    if (isKeyNeeded) setKey(rememberedKey());
  }, [isKeyNeeded]);

  const post = useCallback<SubmitReading>(
    async (values) => {
      const outcome = await submitReading(values, key ?? null);
      if (outcome.kind === 'refused' && outcome.isKeyRefused) {
        remember(null);
        setKey(null);
        setKeyRefused(true);
      }
      return outcome;
    },
    [key],
  );

  return {
    post: isKeyNeeded && !key ? null : post,
    isKeyAsked: isKeyNeeded && key === null,
    isKeyRefused,
    rememberKey(given) {
      remember(given);
      setKey(given);
      setKeyRefused(false);
    },
  };
}

/** A browser may keep its storage from pages: then a key is known as long as its page is open. */
function rememberedKey(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function remember(key: string | null): void {
  try {
    if (key === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, key);
  } catch {
    // As above.
  }
}
