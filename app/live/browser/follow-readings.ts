import { fetchReadings } from './fetch-readings';
import { type Effect, type FollowEvent, type Purpose, startFollowing, step } from './follow-state';
import type { LiveFeed } from './live-feed';
import type { MissingReadings, PageAction } from './page-state';

/** How often the page checks whether its machine has slept. */
const WATCH_MS = 1000;
/** The machine has slept if its two clocks drift apart by more than this between two checks. */
const DRIFT_MS = 2000;

/** The page that is kept up to date. */
export interface FollowingPage {
  missing(lookback: number): MissingReadings;
  dispatch(action: PageAction): void;
}

/**
 * Keeps a page up to date with the store, as `step` decides: it subscribes first, then fetches what the page
 * lacks, and again after every interruption. A hidden page gives its connection back.
 *
 * @returns a function that stops it
 */
export function followReadings(feed: LiveFeed, page: FollowingPage): () => void {
  let state = startFollowing(feed.deliversEveryInsert);
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let fetching: AbortController | undefined;

  function handle(event: FollowEvent): void {
    const next = step(state, event);
    state = next.state;
    for (const effect of next.effects) perform(effect);
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case 'stop':
        unsubscribe?.();
        unsubscribe = undefined;
        cancel();
        break;
      case 'subscribe':
        unsubscribe = feed.subscribe({
          onInsert(reading) {
            if (reading) page.dispatch({ type: 'inserted', reading });
            handle({ type: 'inserted', id: reading?.id ?? null });
          },
          onConnected: () => handle({ type: 'feedConnected' }),
          onDisconnected: (reason) => handle({ type: 'feedDisconnected', reason }),
        });
        break;
      case 'fetch':
        cancel();
        fetching = new AbortController();
        fetchMissing(effect.purpose, fetching.signal);
        break;
      case 'schedule':
        clearTimeout(timer);
        timer = setTimeout(() => handle({ type: 'timerFired', purpose: effect.purpose }), effect.ms);
        break;
      case 'reportLive':
        page.dispatch({ type: 'connected' });
        break;
      case 'reportDisconnected':
        page.dispatch({ type: 'disconnected', reason: effect.reason, time: Date.now() });
    }
  }

  function cancel(): void {
    clearTimeout(timer);
    fetching?.abort();
  }

  async function fetchMissing(purpose: Purpose, signal: AbortSignal): Promise<void> {
    const { isFullHistory, ...query } = page.missing(feed.lookback);
    try {
      const fetched = await fetchReadings(query, signal);
      if (signal.aborted) return;
      page.dispatch({ type: 'fetched', fetched, isFullHistory, viewerTime: performance.now() });
      handle({ type: 'fetched', purpose, count: fetched.readings.length });
    } catch (error) {
      if (!signal.aborted) handle({ type: 'fetchFailed', reason: (error as Error).message });
    }
  }

  const environment = () => ({
    isVisible: document.visibilityState === 'visible',
    isOnline: navigator.onLine,
  });
  const interrupt = () => handle({ type: 'interrupted', ...environment() });
  const leave = () => handle({ type: 'left' });

  // The time of day goes on while a machine sleeps, but the other clock may stop. If the time of day was set
  // instead, restarting does no harm.
  const drift = () => Date.now() - performance.now();
  let lastDrift = drift();
  const watch = setInterval(() => {
    const before = lastDrift;
    lastDrift = drift();
    if (Math.abs(lastDrift - before) > DRIFT_MS) interrupt();
  }, WATCH_MS);
  const listeners = new AbortController();
  const { signal } = listeners;
  document.addEventListener('visibilitychange', interrupt, { signal });
  for (const type of ['online', 'offline']) window.addEventListener(type, interrupt, { signal });
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && interrupt(), { signal });
  handle({ type: 'opened', ...environment() });
  return () => {
    listeners.abort();
    clearInterval(watch);
    leave();
  };
}
