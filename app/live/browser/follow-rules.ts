import type { LiveFeed } from './live-feed';
import { missingAfterFetch, missingAfterInsert, skippedIds } from './missing-ids';

/** Delay before a failed fetch is retried. */
const RETRY_MS = 1000;
/** How long a page waits for the feed before it fetches without it. */
const PATIENCE_MS = 2000;
/** Time between fetches while the feed is down but the server answers. */
const POLL_MS = 5000;
/** Delay before the page looks for missed inserts. It doubles up to two minutes, the longest transaction. */
const GAP_MS = 1000;
const LOOKS = 7;
/** A feed that is quiet for this long is checked with a fetch, because a connection can die silently. */
const QUIET_MS = 45_000;
/** The same, for a feed that was restarted because it had failed a check. */
const DOUBT_MS = 15_000;
/** How long a feed may take to deliver an insert that a check found. */
const GRACE_MS = 2000;
/** A feed that has missed inserts this often, and delivered none, is silent: the page polls. */
const SILENT = 2;
/** A silent feed is restarted after this many polls that found inserts. */
const RESTART_POLLS = 12;

/** Why the page fetches: to get what it lacks, or to check a quiet feed when nothing seems to be missing. */
export type Purpose = 'catch-up' | 'check';

export interface FollowState extends Pick<LiveFeed, 'deliversEveryInsert' | 'silentReason'> {
  isConnected: boolean;
  /** The feed's reason for being disconnected. */
  feedReason?: string;
  /** True if a fetch has succeeded since the feed connected. */
  isCaughtUp: boolean;
  /** Ids below `newestId` that were neither delivered nor fetched. */
  missing: readonly number[];
  /** How often the page has looked for them since the last one was missed. */
  looks: number;
  /** The highest id that was delivered or fetched; 0 before the first, because ids start at 1. */
  newestId: number;
  /** How often checks have found inserts that the feed missed, since it delivered one. */
  misses: number;
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
  | { type: 'timerFired'; purpose: Timer['purpose'] }
  /** `isPart` if the older part of the history wasn't asked for. */
  | { type: 'fetched'; purpose: Purpose; ids: readonly number[]; isPart?: boolean }
  /** The fetch showed that the table was emptied: the page has forgotten its readings. */
  | { type: 'emptied' }
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
  purpose: Purpose | 'restart';
  ms: number;
}

export interface Step {
  state: FollowState;
  effects: Effects;
}

export function startFollowing(
  { deliversEveryInsert, silentReason }: Pick<LiveFeed, 'deliversEveryInsert' | 'silentReason'>,
  newestId = 0,
  misses = 0,
): FollowState {
  const unconnected = { isConnected: false, isCaughtUp: false, missing: [], looks: 0 };
  return { deliversEveryInsert, silentReason, newestId, misses, ...unconnected };
}

/** Decides what a page does to keep up with the store. Pure: `followReadings` performs the effects. */
export function step(state: FollowState, event: FollowEvent): Step {
  switch (event.type) {
    case 'opened':
      return { state, effects: { subscribe: true, schedule: catchUpIn(PATIENCE_MS) } };
    case 'interrupted':
      return restart(state, event.isOnline);
    case 'left':
      return { state: startFollowing(state, state.newestId, state.misses), effects: { stop: true } };
    case 'connected':
      return fetchNow({ ...state, isConnected: true, feedReason: undefined }, 'catch-up');
    case 'disconnected': {
      const { reason } = event;
      return retry({ ...state, isConnected: false, isCaughtUp: false, feedReason: reason }, reason);
    }
    case 'inserted':
      return onInserted(state, event.id);
    case 'timerFired':
      if (event.purpose === 'restart') return restart({ ...state, misses: state.misses + 1 }, true);
      return fetchNow(state, event.purpose);
    case 'fetched':
      return onFetched(state, event);
    case 'emptied':
      return fetchNow({ ...state, missing: [], newestId: 0 }, 'catch-up');
    case 'fetchFailed':
      return retry(state, event.reason);
  }
}

function onInserted(before: FollowState, id?: number): Step {
  const { newestId, isCaughtUp, looks } = before;
  const skipped = skippedIds(before, id);
  const missing = missingAfterInsert(before.missing, skipped, id);
  const state = { ...before, missing, newestId: Math.max(newestId, id ?? 0), misses: 0 };
  if (isSilent(before)) return fetchNow(state, 'catch-up');
  if (skipped.length === 0) {
    // A stream of further inserts must not put off the fetch that a gap has scheduled.
    return { state, effects: isCaughtUp && missing.length === 0 ? { schedule: checkOf(state) } : {} };
  }
  const isScheduled = before.missing.length > 0 && looks === 1;
  return {
    state: { ...state, looks: isCaughtUp ? 1 : 0 },
    effects: isCaughtUp && !isScheduled ? { schedule: catchUpIn(GAP_MS) } : {},
  };
}

function onFetched(before: FollowState, { purpose, ids, isPart }: FollowEvent & { type: 'fetched' }): Step {
  const { isConnected, silentReason } = before;
  const newestId = Math.max(before.newestId, ...ids);
  // Readings were stored and the feed didn't deliver them: it may be dead and only look alive.
  const isBehind = isConnected && purpose === 'check' && newestId > before.newestId;
  const missing = missingAfterFetch(before.missing, ids, isPart);
  const state = { ...before, isCaughtUp: isConnected, missing, newestId };
  const misses = before.misses + 1;
  if (isBehind && !isSilent(before)) {
    if (before.deliversEveryInsert) return restart({ ...state, misses }, true);
    return { state, effects: { schedule: { purpose: 'restart', ms: GRACE_MS } } };
  }
  if (isBehind) state.misses = misses;
  if (isBehind && misses % RESTART_POLLS === 0) return restart(state, true);
  const reason = isSilent(before) && isConnected ? silentReason : before.feedReason;
  const isLive = isConnected && !isSilent(before);
  // The feed's reason replaces that of a failed fetch, which no longer holds.
  const report = isConnected || reason ? { isLive, reason } : undefined;
  if (!isLive) {
    const schedule: Timer = { purpose: isConnected ? 'check' : 'catch-up', ms: POLL_MS };
    return { state, effects: { report, schedule } };
  }
  if (missing.length === 0 || before.looks >= LOOKS) {
    return { state: { ...state, missing: [], looks: 0 }, effects: { report, schedule: checkOf(state) } };
  }
  const schedule = catchUpIn(GAP_MS * 2 ** state.looks++);
  return { state, effects: { report, schedule } };
}

const isSilent = ({ misses }: FollowState) => misses >= SILENT;

const checkOf = ({ misses }: FollowState): Timer => ({
  purpose: 'check',
  ms: misses > 0 ? DOUBT_MS : QUIET_MS,
});

function fetchNow(state: FollowState, purpose: Purpose): Step {
  return { state: { ...state, isCaughtUp: false }, effects: { fetch: purpose } };
}

function retry(state: FollowState, reason?: string): Step {
  return { state, effects: { report: { isLive: false, reason }, schedule: catchUpIn(RETRY_MS) } };
}

/** Subscribes again. Fetches at once unless offline, because that is sooner than the feed connects. */
function restart(state: FollowState, isOnline: boolean): Step {
  const first: Effects = isOnline ? { fetch: 'catch-up' } : { schedule: catchUpIn(PATIENCE_MS) };
  return {
    state: startFollowing(state, state.newestId, state.misses),
    effects: { stop: true, subscribe: true, ...first },
  };
}

function catchUpIn(ms: number): Timer {
  return { purpose: 'catch-up', ms };
}
