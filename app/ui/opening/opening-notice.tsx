import { useBlocker } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { servedBuild, untilReached } from '../../live/browser/reach-server';
import { Button } from '../controls';
import { useIsLoadWaiting } from './load-patiently';

/** An unanswered link is explained after this time. A failure is explained at once. */
const SILENT_MS = 3000;

/**
 * Opens another page only when the server answers, and says so meanwhile: without the page's code, Remix would reload
 * the present page or show an error, and the values on the screen would be lost. If the server has another build, loads
 * the whole document, because this build's code is gone.
 *
 * @param build the build of this page
 */
export function OpeningNotice({ build }: { build: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      // On the way back, the pages' code is already here, and their loaders wait.
      historyAction !== 'POP' && currentLocation.pathname !== nextLocation.pathname,
  );
  const { state, location: next } = blocker;
  const [isWaiting, setWaiting] = useState(false);
  const isLoadWaiting = useIsLoadWaiting();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `blocker` is a new object on each render.
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    const { pathname, search, hash } = blocker.location;
    const stopping = new AbortController();
    const { signal } = stopping;
    const timer = setTimeout(() => setWaiting(true), SILENT_MS);
    untilReached(
      () => servedBuild(signal),
      signal,
      () => setWaiting(true),
    ).then(
      (served) => {
        if (signal.aborted) return;
        if (served === build) blocker.proceed();
        else window.location.assign(pathname + search + hash);
      },
      () => {},
    );
    return () => {
      stopping.abort();
      clearTimeout(timer);
      setWaiting(false);
    };
  }, [state, next?.key, build]);

  if (!isWaiting && !isLoadWaiting) return null;
  return (
    <div className="fixed inset-x-0 bottom-9 z-10 mx-auto max-w-page px-3 sm:px-5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 rounded-lg border border-line bg-surface px-3 text-sm text-ink shadow-2xl">
        <p role="alert">Can't reach the server. The page opens when it is back.</p>
        {isWaiting && blocker.state === 'blocked' && (
          <Button look="quiet" onClick={() => blocker.reset()}>
            Stay here
          </Button>
        )}
      </div>
    </div>
  );
}
