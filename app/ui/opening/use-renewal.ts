import { useEffect } from 'react';
import { askResponse } from '../../live/browser/ask-server';

/** The interval at which the error page checks whether the server can show the page that was asked for. */
const CHECK_MS = 5000;
/** The minimum time between two reloads, because an error of the browser's code returns after each. */
const RELOAD_AGAIN_MS = 60_000;
const STORAGE_KEY = 'airboard.renewed-at';

/** Reloads the error page as soon as its address answers without an error. */
export function useRenewal(isTemporary: boolean): void {
  useEffect(() => {
    if (!isTemporary) return;
    const timer = setInterval(() => {
      reloadIfServed().catch(() => {});
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, [isTemporary]);
}

/** Throws if the server can't be reached, or if the browser denies storage. */
async function reloadIfServed(): Promise<void> {
  const last = Number(sessionStorage.getItem(STORAGE_KEY));
  if (Math.abs(Date.now() - last) < RELOAD_AGAIN_MS) return;
  const { ok } = await askResponse(location.href);
  if (!ok) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  location.reload();
}
