import { useEffect } from 'react';
import type { Connection } from '../../live/browser/connection';

/** How often the page asks which build the server has. It also asks when it is connected again. */
const CHECK_MS = 60_000;
const TIMEOUT_MS = 10_000;
/** A page that is of the old build even after a reload, because of a cache in between, tries again after this long. */
const RELOAD_AGAIN_MS = 600_000;
const STORAGE_KEY = 'airboard.reloaded-at';

/** Reloads the page when the server has another build than the page's, so that nobody has to after an update. */
export function useNewestBuild(build: string, { state }: Connection): void {
  useEffect(() => {
    const check = () => reloadIfNewer(build).catch(() => {});
    if (state === 'live') check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [build, state]);
}

/** Rejects if the server doesn't answer. */
async function reloadIfNewer(build: string): Promise<void> {
  const { headers } = await ask('/api/data', 'HEAD');
  const served = headers.get('Airboard-Build');
  if (!served || served === build || !isReloadDue()) return;
  // An error page would stay: nothing on it would reload it.
  const { ok } = await ask(location.href, 'GET');
  if (!ok) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  location.reload();
}

function ask(address: string, method: string): Promise<Response> {
  return fetch(address, { method, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** Throws where the browser allows no storage: the page can't know whether it has just been reloaded. */
function isReloadDue(): boolean {
  const last = Number(sessionStorage.getItem(STORAGE_KEY));
  return Math.abs(Date.now() - last) > RELOAD_AGAIN_MS;
}
