import { useEffect } from 'react';
import { askResponse } from '../live/browser/ask-server';

/** The interval at which a visible page checks the server's build. It also checks when it becomes visible. */
const CHECK_MS = 60_000;
const UNUSED_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'wheel', 'keydown'];
/** The minimum time between two reloads, because a cache may still deliver the old build. */
const RELOAD_AGAIN_MS = 600_000;
const STORAGE_KEY = 'airboard.reloaded-at';

/** Reloads the page after a server update, once it has been unused for a minute and no form is filled in. */
export function useNewestBuild(build: string): void {
  useEffect(() => {
    const listeners = new AbortController();
    const options = { signal: listeners.signal, capture: true, passive: true };
    let usedAt = Number.NEGATIVE_INFINITY;
    const noteInput = () => {
      usedAt = performance.now();
    };
    for (const input of INPUTS) addEventListener(input, noteInput, options);
    const isUnused = () => performance.now() - usedAt >= UNUSED_MS && !isFilledIn();
    const check = () => {
      if (document.visibilityState === 'visible') reloadIfNewer(build, isUnused).catch(() => {});
    };
    document.addEventListener('visibilitychange', check, options);
    const timer = setInterval(check, CHECK_MS);
    return () => {
      listeners.abort();
      clearInterval(timer);
    };
  }, [build]);
}

async function reloadIfNewer(build: string, isUnused: () => boolean): Promise<void> {
  const { headers } = await askResponse('/api/data', { method: 'HEAD' });
  const served = headers.get('Airboard-Build');
  if (!served || served === build || !isReloadDue()) return;
  // Don't reload into an error page, which could not reload again.
  const { ok } = await askResponse(location.href);
  if (!ok || !isUnused()) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  location.reload();
}

/** Throws if the browser denies storage, because the time of the last reload is then unknown. */
function isReloadDue(): boolean {
  const last = Number(sessionStorage.getItem(STORAGE_KEY));
  return Math.abs(Date.now() - last) > RELOAD_AGAIN_MS;
}

function isFilledIn(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('input:is([type=text], [type=password])');
  const switches = document.querySelectorAll<HTMLInputElement>('input[type=checkbox]');
  return (
    [...fields].some(({ value, defaultValue }) => value !== defaultValue) ||
    [...switches].some(({ checked, defaultChecked }) => checked !== defaultChecked)
  );
}
