/** Delay before a failed fetch is retried. */
const RETRY_MS = 1000;
/** How long a page that was just opened waits for the feed before it fetches without it. */
const PATIENCE_MS = 2000;
/** Time between fetches while the feed is down but the server answers. */
const POLL_MS = 5000;
/** Delay before the page fetches an insert that it seems to have missed. */
const GAP_MS = 1000;
/** A feed that is quiet for this long is checked with a fetch, because a connection can die silently. */
const QUIET_MS = 45_000;

/** Why the page fetches: to get what it lacks, or to check a quiet feed when nothing seems to be missing. */
export type Purpose = 'catch-up' | 'check';

export interface FollowState {
  /** See `LiveFeed`. */
  deliversEveryInsert: boolean;
  isOnline: boolean;
  isConnected: boolean;
  /** The feed's reason for being disconnected. */
  feedReason: string | undefined;
  /** True if a fetch has succeeded since the feed connected. */
  isCaughtUp: boolean;
  /** True if an insert seems to have been missed since the last fetch began. */
  hasGap: boolean;
  /** The highest id that the feed has delivered. */
  newestId: number | null;
}

export type FollowEvent =
  | { type: 'opened'; isVisible: boolean; isOnline: boolean }
  /** The page was hidden or shown, went offline or online, or its machine slept: the connection may be dead. */
  | { type: 'interrupted'; isVisible: boolean; isOnline: boolean }
  | { type: 'left' }
  | { type: 'feedConnected' }
  | { type: 'feedDisconnected'; reason?: string }
  /** `id` is null if the feed delivered an insert without its values. */
  | { type: 'inserted'; id: number | null }
  | { type: 'timerFired'; purpose: Purpose }
  | { type: 'fetched'; purpose: Purpose; count: number }
  | { type: 'fetchFailed'; reason: string };

export type Effect =
  /** Unsubscribes from the feed, aborts the fetch and clears the timer. */
  | { type: 'stop' }
  | { type: 'subscribe' }
  /** Fetches at once. Aborts the fetch that it overtakes and clears the timer. */
  | { type: 'fetch'; purpose: Purpose }
  /** Fetches later. Replaces the timer. */
  | { type: 'schedule'; purpose: Purpose; ms: number }
  /** The page has everything and inserts arrive. */
  | { type: 'reportLive' }
  /** Inserts don't arrive, or what was missed can't be fetched. */
  | { type: 'reportDisconnected'; reason: string | undefined };

export interface Step {
  state: FollowState;
  effects: Effect[];
}

export function startFollowing(deliversEveryInsert: boolean): FollowState {
  return {
    deliversEveryInsert,
    isOnline: true,
    isConnected: false,
    feedReason: undefined,
    isCaughtUp: false,
    hasGap: false,
    newestId: null,
  };
}

/** Decides what a page does to keep up with the store. Pure: `followReadings` performs the effects in order. */
export function step(state: FollowState, event: FollowEvent): Step {
  switch (event.type) {
    case 'opened':
      return {
        state: { ...state, isOnline: event.isOnline },
        effects: event.isVisible ? [schedule('catch-up', PATIENCE_MS), { type: 'subscribe' }] : [],
      };
    case 'interrupted':
      return event.isVisible ? restart({ ...state, isOnline: event.isOnline }) : stop(state);
    case 'left':
      return stop(state);
    case 'feedConnected':
      return fetchNow({ ...state, isConnected: true, feedReason: undefined }, 'catch-up');
    case 'feedDisconnected':
      return {
        state: { ...state, isConnected: false, isCaughtUp: false, feedReason: event.reason },
        effects: [{ type: 'reportDisconnected', reason: event.reason }, schedule('catch-up', RETRY_MS)],
      };
    case 'inserted':
      return onInserted(state, event.id);
    case 'timerFired':
      return fetchNow(state, event.purpose);
    case 'fetched':
      return onFetched(state, event.purpose, event.count);
    case 'fetchFailed':
      return {
        state,
        effects: [{ type: 'reportDisconnected', reason: event.reason }, schedule('catch-up', RETRY_MS)],
      };
  }
}

function onInserted(state: FollowState, id: number | null): Step {
  const { newestId } = state;
  const isNext = id !== null && (state.deliversEveryInsert || (newestId !== null && id === newestId + 1));
  const next = isNext ? schedule('check', QUIET_MS) : schedule('catch-up', GAP_MS);
  return {
    state: {
      ...state,
      hasGap: state.hasGap || !isNext,
      newestId: id === null ? newestId : Math.max(id, newestId ?? id),
    },
    // A stream of further inserts must not put off the fetch that a gap has scheduled.
    effects: state.isCaughtUp && !state.hasGap ? [next] : [],
  };
}

function onFetched(state: FollowState, purpose: Purpose, count: number): Step {
  const { isConnected, feedReason } = state;
  // Readings were stored and the feed didn't deliver them: it is dead and only looks alive.
  if (purpose === 'check' && state.deliversEveryInsert && count > 0) return restart(state);
  const effects: Effect[] = [];
  if (isConnected) effects.push({ type: 'reportLive' });
  // Replaces the reason of a failed fetch, which no longer holds.
  else if (feedReason) effects.push({ type: 'reportDisconnected', reason: feedReason });
  if (state.hasGap) effects.push(schedule('catch-up', GAP_MS));
  else effects.push(isConnected ? schedule('check', QUIET_MS) : schedule('catch-up', POLL_MS));
  return { state: { ...state, isCaughtUp: isConnected }, effects };
}

function fetchNow(state: FollowState, purpose: Purpose): Step {
  return {
    state: { ...state, isCaughtUp: false, hasGap: false },
    effects: [{ type: 'fetch', purpose }],
  };
}

function stop(state: FollowState): Step {
  return {
    state: { ...state, isConnected: false, isCaughtUp: false, feedReason: undefined },
    effects: [{ type: 'stop' }],
  };
}

/** Subscribes again. Fetches at once unless offline, because the page is sooner up to date than the feed. */
function restart(state: FollowState): Step {
  const stopped = stop(state);
  if (!state.isOnline) {
    return {
      ...stopped,
      effects: [...stopped.effects, schedule('catch-up', PATIENCE_MS), { type: 'subscribe' }],
    };
  }
  const fetching = fetchNow(stopped.state, 'catch-up');
  return { ...fetching, effects: [...stopped.effects, { type: 'subscribe' }, ...fetching.effects] };
}

function schedule(purpose: Purpose, ms: number): Effect {
  return { type: 'schedule', purpose, ms };
}
