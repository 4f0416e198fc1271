/** Delay before a failed fetch is retried. */
const RETRY_MS = 1000;
/** How long a page waits for the feed before it fetches without it. */
const PATIENCE_MS = 2000;
/** Time between fetches while the feed is down but the server answers. */
const POLL_MS = 5000;
/** Delay before the page fetches an insert that it seems to have missed. */
const GAP_MS = 1000;
/** A feed that is quiet for this long is checked with a fetch, because a connection can die silently. */
const QUIET_MS = 45_000;
const CHECK: Timer = { purpose: 'check', ms: QUIET_MS };

/** Why the page fetches: to get what it lacks, or to check a quiet feed when nothing seems to be missing. */
export type Purpose = 'catch-up' | 'check';

export interface FollowState {
  /** See `LiveFeed`. */
  deliversEveryInsert: boolean;
  isConnected: boolean;
  /** The feed's reason for being disconnected. */
  feedReason?: string;
  /** True if a fetch has succeeded since the feed connected. */
  isCaughtUp: boolean;
  /** True if an insert seems to have been missed since the last fetch began. */
  hasGap: boolean;
  /** The highest id that the feed has delivered; 0 before the first, because ids start at 1. */
  newestId: number;
}

export type FollowEvent =
  /** The page is visible and was just rendered. */
  | { type: 'opened' }
  /** The page was shown, went offline or online, or its machine slept: the connection may be dead. */
  | { type: 'interrupted'; isOnline: boolean }
  /** The page was hidden or closed. */
  | { type: 'left' }
  | { type: 'connected' }
  | { type: 'disconnected'; reason?: string }
  /** Without `id` if the feed delivered an insert without its values, or with a time that needs a fetch. */
  | { type: 'inserted'; id?: number }
  | { type: 'timerFired'; purpose: Purpose }
  | { type: 'fetched'; purpose: Purpose; count: number }
  | { type: 'fetchFailed'; reason: string };

/** What the page does next: at most one of each, performed in this order. */
export interface Effects {
  /** Unsubscribes from the feed, aborts the fetch and clears the timer. */
  stop?: true;
  subscribe?: true;
  report?: Report;
  /** Fetches at once. Aborts the fetch that it overtakes and clears the timer. */
  fetch?: Purpose;
  /** Fetches later. Replaces the timer. */
  schedule?: Timer;
}

/** Live: the page has everything and inserts arrive. Otherwise they don't, or a fetch failed. */
export interface Report {
  isLive: boolean;
  reason?: string;
}

export interface Timer {
  purpose: Purpose;
  ms: number;
}

export interface Step {
  state: FollowState;
  effects: Effects;
}

export function startFollowing(deliversEveryInsert: boolean, newestId = 0): FollowState {
  return { deliversEveryInsert, newestId, isConnected: false, isCaughtUp: false, hasGap: false };
}

/** Decides what a page does to keep up with the store. Pure: `followReadings` performs the effects. */
export function step(state: FollowState, event: FollowEvent): Step {
  switch (event.type) {
    case 'opened':
      return { state, effects: { subscribe: true, schedule: catchUpIn(PATIENCE_MS) } };
    case 'interrupted':
      return restart(state, event.isOnline);
    case 'left':
      return { state: startFollowing(state.deliversEveryInsert, state.newestId), effects: { stop: true } };
    case 'connected':
      return fetchNow({ ...state, isConnected: true, feedReason: undefined }, 'catch-up');
    case 'disconnected': {
      const { reason } = event;
      return retry({ ...state, isConnected: false, isCaughtUp: false, feedReason: reason }, reason);
    }
    case 'inserted':
      return onInserted(state, event.id);
    case 'timerFired':
      return fetchNow(state, event.purpose);
    case 'fetched':
      return onFetched(state, event.purpose, event.count);
    case 'fetchFailed':
      return retry(state, event.reason);
  }
}

function onInserted(state: FollowState, id?: number): Step {
  const { deliversEveryInsert, newestId } = state;
  const isNext = id !== undefined && (deliversEveryInsert || id === newestId + 1);
  return {
    state: {
      ...state,
      hasGap: state.hasGap || !isNext,
      newestId: Math.max(newestId, id ?? 0),
    },
    // A stream of further inserts must not put off the fetch that a gap has scheduled.
    effects: state.isCaughtUp && !state.hasGap ? { schedule: isNext ? CHECK : catchUpIn(GAP_MS) } : {},
  };
}

function onFetched(state: FollowState, purpose: Purpose, count: number): Step {
  const { isConnected, feedReason: reason } = state;
  // Readings were stored and the feed didn't deliver them: it is dead and only looks alive.
  if (purpose === 'check' && state.deliversEveryInsert && count > 0) return restart(state, true);
  return {
    state: { ...state, isCaughtUp: isConnected },
    effects: {
      // The feed's reason replaces that of a failed fetch, which no longer holds.
      report: isConnected || reason ? { isLive: isConnected, reason } : undefined,
      schedule: state.hasGap ? catchUpIn(GAP_MS) : isConnected ? CHECK : catchUpIn(POLL_MS),
    },
  };
}

function fetchNow(state: FollowState, purpose: Purpose): Step {
  return { state: { ...state, isCaughtUp: false, hasGap: false }, effects: { fetch: purpose } };
}

function retry(state: FollowState, reason?: string): Step {
  return { state, effects: { report: { isLive: false, reason }, schedule: catchUpIn(RETRY_MS) } };
}

/** Subscribes again. Fetches at once unless offline, because that is sooner than the feed connects. */
function restart(state: FollowState, isOnline: boolean): Step {
  const first: Effects = isOnline ? { fetch: 'catch-up' } : { schedule: catchUpIn(PATIENCE_MS) };
  return {
    state: startFollowing(state.deliversEveryInsert, state.newestId),
    effects: { stop: true, subscribe: true, ...first },
  };
}

function catchUpIn(ms: number): Timer {
  return { purpose: 'catch-up', ms };
}
