import type { Reading } from '../../readings/reading';
import { type FetchedReadings, fetchReadings } from './fetch-readings';
import type { LiveFeed } from './live-feed';

/** How soon a catch-up that failed is tried again. */
const RETRY_MS = 1000;
/** How long a page that has just been opened waits for the feed before it fetches without it. */
const PATIENCE_MS = 2000;
/** How often the page asks by itself while the feed is down but the server answers. */
const POLL_MS = 5000;
/** How soon the page asks for an insert that it seems to have missed. */
const GAP_MS = 1000;
/** After this long without an insert the page asks whether it has missed one: a connection can die unseen. */
const QUIET_MS = 45_000;
/** How often the page looks whether it has slept, and how far its two clocks part when it has. */
const WATCH_MS = 1000;
const JUMP_MS = 2000;

/** What to fetch to have all there is; `everything` where that is the whole history. */
export interface Missing {
  limit: number;
  after?: number;
  isFullHistory: boolean;
}

export interface Follower {
  /** What the page does not have, given how many ids back a row may still appear. */
  missing(overlap: number): Missing;
  onInsert(reading: Reading): void;
  onCaughtUp(fetched: FetchedReadings, everything: boolean): void;
  /** The page has all there is, and inserts arrive. */
  onLive(): void;
  /** Inserts don't arrive, or what was missed can't be fetched. It is being tried again. */
  onDisconnected(reason?: string): void;
}

/**
 * Keeps a page up with the store: subscribes first, then fetches what the page does not have, and again
 * whenever the feed is (re)connected, the page is shown, the network is back, or nothing came for long.
 * A hidden page gives its connection back.
 *
 * @returns the way to stop
 */
export function followReadings(feed: LiveFeed, follower: Follower): () => void {
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let fetching: AbortController | undefined;
  let isConnected = false;
  let isCaughtUp = false;
  /** Of the inserts the feed has told of. */
  let newestId = Number.NaN;
  /** An insert seems to have been missed since the last catch-up began. */
  let hasGap = false;
  /** Why the feed is down, as it said. */
  let feedReason: string | undefined;

  function catchUpIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => catchUp(ms === QUIET_MS), ms);
  }

  /** @param isCheck whether nothing is known to be missing: the feed has only been quiet */
  async function catchUp(isCheck = false): Promise<void> {
    clearTimeout(timer);
    fetching?.abort();
    fetching = new AbortController();
    const { signal } = fetching;
    isCaughtUp = false;
    hasGap = false;
    const { isFullHistory, ...query } = follower.missing(feed.overlap);
    try {
      const fetched = await fetchReadings(query, signal);
      if (signal.aborted) return;
      follower.onCaughtUp(fetched, isFullHistory);
      // There were inserts, and the feed did not tell of them: it is dead, and only looks alive.
      if (isCheck && feed.overlap === 0 && fetched.readings.length > 0) return restart();
      isCaughtUp = isConnected;
      if (isConnected) follower.onLive();
      // What the server said before is no longer so; what the feed said is.
      else if (feedReason) follower.onDisconnected(feedReason);
      catchUpIn(hasGap ? GAP_MS : isConnected ? QUIET_MS : POLL_MS);
    } catch (error) {
      if (signal.aborted) return;
      follower.onDisconnected((error as Error).message);
      catchUpIn(RETRY_MS);
    }
  }

  function receive(reading: Reading | null): void {
    if (reading) follower.onInsert(reading);
    const isNext = reading !== null && (feed.overlap === 0 || reading.id === newestId + 1);
    // Scheduled once: a stream of later inserts must not put it off.
    if (isCaughtUp && !hasGap) catchUpIn(isNext ? QUIET_MS : GAP_MS);
    hasGap ||= !isNext;
    if (reading && !(reading.id <= newestId)) newestId = reading.id;
  }

  function start(): void {
    catchUpIn(PATIENCE_MS);
    unsubscribe = feed.subscribe({
      onInsert: receive,
      onConnected() {
        isConnected = true;
        feedReason = undefined;
        catchUp();
      },
      onDisconnected(reason) {
        isConnected = false;
        isCaughtUp = false;
        feedReason = reason;
        follower.onDisconnected(reason);
        catchUpIn(RETRY_MS);
      },
    });
  }

  function stop(): void {
    unsubscribe?.();
    unsubscribe = undefined;
    isConnected = false;
    isCaughtUp = false;
    feedReason = undefined;
    clearTimeout(timer);
    fetching?.abort();
  }

  function restart(): void {
    stop();
    if (document.visibilityState !== 'visible') return;
    start();
    // Back from wherever the page was: what it missed is there before the feed is.
    if (navigator.onLine) catchUp();
  }

  const controller = new AbortController();
  const { signal } = controller;
  // The time of day goes on while a machine sleeps, the other clock may not; where it was set instead, being
  // brought up to date does no harm.
  let apart = Date.now() - performance.now();
  const watch = setInterval(() => {
    const before = apart;
    apart = Date.now() - performance.now();
    if (Math.abs(apart - before) > JUMP_MS) restart();
  }, WATCH_MS);
  document.addEventListener('visibilitychange', restart, { signal });
  window.addEventListener('online', restart, { signal });
  window.addEventListener('offline', restart, { signal });
  window.addEventListener('pagehide', stop, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && restart(), { signal });
  if (document.visibilityState === 'visible') start();
  return () => {
    controller.abort();
    clearInterval(watch);
    stop();
  };
}
