import { useEffect } from 'react';
import { askResponse } from '../live/browser/ask-server';

/** How often a visible page asks which build the server has. It also asks when it becomes visible. */
const CHECK_MS = 60_000;
const UNUSED_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'wheel', 'keydown'];
/** A page that is of the old build even after a reload, because of a cache in between, tries again after this long. */
const RELOAD_AGAIN_MS = 600_000;
const STORAGE_KEY = 'airboard.reloaded-at';

/** Reloads the page after an update of the server: when it has not been used for a minute, and no form has been filled in. */
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
  // An error page would stay: nothing on it would reload it.
  const { ok } = await askResponse(location.href);
  if (!ok || !isUnused()) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  location.reload();
}

/** Throws where the browser allows no storage: the page can't know whether it has just been reloaded. */
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
