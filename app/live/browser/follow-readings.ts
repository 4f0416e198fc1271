import type { Reading } from '../../readings/reading';
import { type FetchedReadings, fetchReadings } from './fetch-readings';
import { type Effects, type FollowEvent, type Purpose, type Report, startFollowing, step } from './follow';
import type { FeedListener, LiveFeed } from './live-feed';
import type { MissingReadings, Outcome } from './page-state';

/** The interval at which the page checks if its machine has slept. */
const WATCH_MS = 1000;
/** The machine has slept if its two clocks drift apart by more than this between two checks. */
const DRIFT_MS = 2000;
/** A late reading looks as if the server's clock had been set. At most one fetch in this time checks the clock. */
const CLOCK_CHECK_MS = 45_000;

interface FollowingPage {
  missing(purpose: Purpose): MissingReadings;
  /** Returns the highest id that the page knows, or 0. */
  newestId(): number;
  onInsert(reading: Reading, storedAt?: number): void;
  /** Returns false if the reading is late or the server's clock was set. A fetch then brings the server's time. */
  fitsClock(reading: Reading): boolean;
  onFetched(fetched: FetchedReadings, missing: MissingReadings): Outcome;
  /** Called when the settings or the name of a sensor may have changed. */
  onSettings?(): void;
  /** Called after readings of this sensor were deleted or brought back. */
  onChanged?(sensor: string): void;
  onReport(report: Report): void;
  /** Called when a fetch checks a quiet feed. A report follows. */
  onCheck(): void;
}

export interface Follower {
  /** Fetches the readings that the page lacks after it switched to another sensor, or has to replace its readings. */
  switched(): void;
  stop(): void;
}

/**
 * Performs the effects of `step`. Subscribes first, then fetches missing readings, and repeats this after every
 * interruption. A hidden page closes its connection.
 */
export function followReadings(feed: LiveFeed, page: FollowingPage): Follower {
  let state = startFollowing(feed);
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | undefined;
  let clockCheckedAt = Number.NEGATIVE_INFINITY;

  function handle(event: FollowEvent): void {
    const { state: next, effects } = step(state, event);
    state = next;
    perform(effects);
  }

  function perform({ stop, subscribe, report, fetch, schedule }: Effects): void {
    if (stop) {
      unsubscribe?.();
      unsubscribe = undefined;
    }
    if (stop || fetch) {
      request?.abort();
      request = undefined;
    }
    if (stop || fetch || schedule) clearTimeout(timer);
    if (subscribe) unsubscribe = feed.subscribe(listener);
    if (report) page.onReport(report);
    if (fetch) fetchMissing(fetch);
    if (schedule)
      timer = setTimeout(() => handle({ type: 'timerFired', purpose: schedule.purpose }), schedule.ms);
  }

  const listener: FeedListener = {
    onInsert(reading, storedAt) {
      if (reading) page.onInsert(reading, storedAt);
      handle({ type: 'inserted', id: reading && !needsClock(reading) ? reading.id : undefined });
    },
    onSettings: () => page.onSettings?.(),
    onChanged: (sensor) => page.onChanged?.(sensor),
    onConnected: () => handle({ type: 'connected' }),
    onDisconnected: (reason) => handle({ type: 'disconnected', reason }),
  };

  function needsClock(reading: Reading): boolean {
    const now = performance.now();
    if (now - clockCheckedAt < CLOCK_CHECK_MS || page.fitsClock(reading)) return false;
    clockCheckedAt = now;
    return true;
  }

  async function fetchMissing(purpose: Purpose): Promise<void> {
    const own = new AbortController();
    request = own;
    const missing = page.missing(purpose);
    if (purpose === 'check') page.onCheck();
    try {
      const fetched = await fetchReadings(missing, own.signal);
      if (own !== request) return;
      const outcome = page.onFetched(fetched, missing);
      if (outcome === 'emptied') return handle({ type: 'emptied' });
      const ids = fetched.readings.map(({ id }) => id);
      const above = lowestSought(ids, missing);
      const lacksHistory = outcome === 'incomplete';
      handle({ type: 'fetched', purpose, ids: [...ids, page.newestId()], above, lacksHistory });
    } catch (error) {
      if (own !== request) return;
      handle({ type: 'fetchFailed', purpose, reason: (error as Error).message });
    }
  }

  const isVisible = () => document.visibilityState === 'visible';
  const leave = () => handle({ type: 'left' });
  const interrupt = () =>
    isVisible() ? handle({ type: 'interrupted', isOnline: navigator.onLine }) : leave();

  // While a machine sleeps, the time of day advances but the other clock may stop. If only the time of day was set,
  // restarting is harmless.
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
  if (isVisible()) handle({ type: 'opened' });
  return {
    switched: () => handle({ type: 'switched' }),
    stop() {
      listeners.abort();
      clearInterval(watch);
      leave();
    },
  };
}

/**
 * Returns the id above which the response contains every reading. One sensor's readings don't show which other readings
 * exist.
 */
function lowestSought(ids: readonly number[], { limit, after = 0, sensor }: MissingReadings): number {
  if (sensor !== undefined) return 0;
  return ids.length < limit ? after : Math.min(...ids) - 1;
}
