import { useEffect, useState } from 'react';
import { askServer, ServerError } from '../../live/browser/ask-server';
import type { AirReport } from '../../readings/air/air-report';
import type { WriteKey } from '../posting/write-key';

/** The answer of `/api/notifications`. */
type NotificationsAnswer<T> = { ok: true; value: T } | { ok: false; isKeyRejected: boolean; detail: string };

/** Tests take up to 10 s each for an address that doesn't answer. */
const TIMEOUT_MS = 30_000;

/**
 * Gets the report, or posts a test. Never rejects.
 *
 * @param writeKey the server's `WRITE_KEY`, or null if it has none
 */
export async function askNotifications<T>(
  method: 'GET' | 'POST',
  writeKey: string | null,
): Promise<NotificationsAnswer<T>> {
  try {
    const { value } = await askServer<T>('/api/notifications', { method, writeKey, timeoutMs: TIMEOUT_MS });
    return { ok: true, value };
  } catch (error) {
    const isKeyRejected = error instanceof ServerError && error.status === 401;
    return { ok: false, isKeyRejected, detail: error instanceof Error ? error.message : String(error) };
  }
}

const REFRESH_MS = 5000;

/** The report as far as the page knows it. */
export interface KnownReport {
  /** Null until it has been read. */
  report: AirReport | null;
  /** Why there is no newer report; null if the newest is there. */
  problem: string | null;
}

/**
 * Keeps the report up to date while the page is visible. With a write key, the page asks for the first one too; if the
 * server rejects the key, the report is removed.
 *
 * @param initial the report that the server rendered the page with
 */
export function useAirReport(
  initial: KnownReport,
  isKeyNeeded: boolean,
  { key, rejectKey }: WriteKey,
): KnownReport {
  const [known, setKnown] = useState(initial);
  const isRendered = initial.report !== null;

  useEffect(() => {
    if (isKeyNeeded && !key) return;
    let isAsking = false;
    let isGone = false;
    const ask = async () => {
      if (isAsking || document.visibilityState !== 'visible') return;
      isAsking = true;
      const answer = await askNotifications<AirReport>('GET', key ?? null);
      isAsking = false;
      if (isGone) return;
      if (answer.ok) return setKnown({ report: answer.value, problem: null });
      if (!answer.isKeyRejected) return setKnown(({ report }) => ({ report, problem: answer.detail }));
      setKnown({ report: null, problem: null });
      rejectKey();
    };
    if (!isRendered) ask();
    const timer = setInterval(ask, REFRESH_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      isGone = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [isKeyNeeded, isRendered, key, rejectKey]);

  return known;
}
