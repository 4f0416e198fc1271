import { Link } from '@remix-run/react';
import { type FormEvent, useCallback, useContext, useState } from 'react';
import { isInForeignFrame } from '../../live/browser/foreign-frame';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { useBeforePaint, useHydrated } from '../hydration';
import { NonceContext } from '../page-contexts';
import { isWrongKey, type SubmitReading, submitReading } from './submission';

export const STORAGE_KEY = 'airboard.write-key';

export interface WriteKey {
  /** Undefined until `localStorage` has been read (always on the server); null if this browser has no key. */
  key: string | null | undefined;
  isKeyRejected: boolean;
  rememberKey(key: string): void;
  rejectKey(): void;
}

/** Keeps the `WRITE_KEY` that a viewer has entered in this browser. */
export function useWriteKey(isKeyNeeded: boolean): WriteKey {
  const [key, setKey] = useState<string | null | undefined>(undefined);
  const [isKeyRejected, setKeyRejected] = useState(false);

  // Before painting, so that the form doesn't flash if there is a key.
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

/** Returns the stored key. Browsers can deny access to `localStorage`; the key then lasts as long as the page. */
function loadKey(): string | null {
  if (isInForeignFrame()) return null;
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

const SOURCE = `try{let d=document.documentElement;d.toggleAttribute('data-write-key',!d.hasAttribute('data-framed')&&!!localStorage.getItem('${STORAGE_KEY}'))}catch{}`;

/** Sets `data-write-key` before painting if this browser has a key, so that CSS can hide the key form (or the other controls). */
export function WriteKeyNote() {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is a constant.
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? SOURCE : '' }}
    />
  );
}

/** Hides an element in browsers without a write key. */
export const WITH_KEY = 'not-in-[[data-write-key]]:hidden';

/** Hides an element in browsers with a write key. */
export const WITHOUT_KEY = 'in-[[data-write-key]]:hidden';

interface WriteAccess {
  /** Submits a reading; null if a write key is needed and this browser has none. */
  submit: SubmitReading | null;
  isKeyMissing: boolean;
  /** True until `localStorage` has been read. The page then renders both the controls and the key form (`WriteKeyNote`). */
  isKeyUnknown: boolean;
  isKeyRejected: boolean;
  rememberKey(key: string): void;
}

/** Lets this browser submit a sensor's readings. The browser keeps a `WRITE_KEY` until the server rejects it. */
export function useWriteAccess(isKeyNeeded: boolean, sensor: string): WriteAccess {
  const { key, rejectKey, ...access } = useWriteKey(isKeyNeeded);
  const keepKey = access.rememberKey;

  const rememberKey = useCallback(
    async (entered: string) => {
      if (await isWrongKey(entered)) rejectKey();
      else keepKey(entered);
    },
    [keepKey, rejectKey],
  );

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
    rememberKey,
    submit: isKeyNeeded && key === null ? null : submit,
    isKeyMissing: isKeyNeeded && !key,
    isKeyUnknown: isKeyNeeded && key === undefined,
  };
}

interface WriteKeyFormProps {
  title: string;
  /** The purpose of the key: `post readings to this server`. */
  purpose: string;
  isRejected: boolean;
  /** The consequence of the rejected key: `Nothing was stored.` */
  consequence?: string;
  onKey(key: string): void;
}

export function WriteKeyForm({ title, purpose, isRejected, consequence, onKey }: WriteKeyFormProps) {
  const isHydrated = useHydrated();

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
    if (key) onKey(key);
  }

  return (
    <Card title={title} needsScript>
      <form onSubmit={handleSubmit} className="grid max-w-md gap-3">
        {isRejected && <Notice>That isn't a valid write key. {consequence}</Notice>}
        <label htmlFor="write-key">To {purpose}, enter its write key. This browser will remember it.</label>
        {/* A user name, because password managers store one with a password, and browsers warn about a form without one. */}
        <input type="text" autoComplete="username" value="airboard" readOnly hidden />
        <input
          id="write-key"
          name="key"
          type="password"
          required
          autoComplete="current-password"
          className="min-h-11 rounded-md border border-muted bg-canvas px-3 text-ink"
        />
        <Button look="primary" type="submit" disabled={!isHydrated} className="justify-self-start">
          Remember the key
        </Button>
      </form>
    </Card>
  );
}

/** Replaces the post button after the server has rejected this browser's write key. */
export function WriteKeyRejected() {
  return (
    <Notice>
      That isn't a valid write key. Nothing was stored. <Link to="/postdata">Enter it again</Link>
    </Notice>
  );
}
