import {
  type Effects,
  type FetchedIds,
  type FollowEvent,
  type FollowState,
  type Purpose,
  type Report,
  type Step,
  type Timer,
  UNCONNECTED,
} from './follow-state';
import { missingAfterFetch, missingAfterInsert, skippedIds } from './missing-ids';

/** Delay before a failed fetch is retried. */
const RETRY_MS = 1000;
/** How long a page waits for the feed before it fetches without it. */
const PATIENCE_MS = 2000;
/** Time between fetches while the feed is down but the server answers. */
const POLL_MS = 5000;
/** Delay before the page looks for missed inserts. It doubles, and ends after two minutes, the longest transaction. */
const GAP_MS = 1000;
const LOOKS = 8;
/** A feed that is quiet for this long is checked with a fetch, because a connection can die silently. */
const QUIET_MS = 45_000;
/** The same, for a feed that may be dead: it has failed a check, or it may lose inserts and has delivered none. */
const DOUBT_MS = 15_000;
/** How long a feed may take to deliver an insert that a check found. */
const GRACE_MS = 2000;
/** A feed that has failed this many checks, and delivered nothing since, is silent: the page polls. */
const SILENT = 2;
/** A silent feed is restarted after this many polls that found inserts. */
const RESTART_POLLS = 12;

/** Decides what a page does to keep up with the store. Pure: `followReadings` performs the effects. */
export function step(state: FollowState, event: FollowEvent): Step {
  switch (event.type) {
    case 'opened':
      return { state, effects: { subscribe: true, schedule: catchUpIn(PATIENCE_MS) } };
    case 'switched':
      return fetchNow({ ...state, historyReason: undefined }, 'catch-up');
    case 'interrupted':
      return restart(state, event.isOnline);
    case 'left':
      return { state: { ...state, ...UNCONNECTED }, effects: { stop: true } };
    case 'connected':
      return fetchNow({ ...state, isConnected: true, feedReason: undefined }, 'catch-up');
    case 'disconnected':
      return retry({ ...state, ...UNCONNECTED, feedReason: event.reason }, event.reason);
    case 'inserted':
      return onInserted(state, event.id);
    case 'timerFired':
      return onTimer(state, event.purpose);
    case 'fetched':
      return onFetched(state, event);
    case 'emptied':
      return fetchNow({ ...state, missing: [], newestId: 0 }, 'catch-up');
    case 'fetchFailed':
      return event.purpose === 'rest' ? onRestFailed(state, event.reason) : retry(state, event.reason);
  }
}

function onTimer(state: FollowState, purpose: Timer['purpose']): Step {
  const { misses, looks } = state;
  if (purpose === 'restart') return misses > 0 ? restart(state) : fetchNow(state, 'catch-up');
  if (purpose !== 'look') return fetchNow(state, purpose);
  // A late look is a check too, which would otherwise have to wait for the end of the search.
  return fetchNow({ ...state, looks: looks + 1 }, lookOf(looks).ms < DOUBT_MS ? 'catch-up' : 'check');
}

function onInserted(before: FollowState, id?: number): Step {
  const skipped = skippedIds(before, id);
  const state: FollowState = {
    ...before,
    hasDelivered: true,
    misses: 0,
    isOutdated: before.isOutdated || id === undefined,
    newestId: Math.max(before.newestId, id ?? 0),
    missing: missingAfterInsert(before.missing, skipped, id),
    looks: skipped.length > 0 ? 0 : before.looks,
  };
  if (isSilent(before)) return fetchNow(state, 'catch-up');
  // A stream of inserts must not put off the fetch that the first of them has scheduled.
  if (!before.isCaughtUp || isFetchDue(before)) return { state, effects: {} };
  if (isFetchDue(state))
    return { state, effects: { schedule: state.isOutdated ? catchUpIn(GAP_MS) : lookOf(0) } };
  const isComplete = state.missing.length === 0 && state.historyReason === undefined;
  return { state, effects: isComplete ? { schedule: checkOf(state) } : {} };
}

function onFetched(before: FollowState, fetched: FetchedIds & { purpose: Purpose }): Step {
  const { isConnected } = before;
  const newestId = Math.max(before.newestId, ...fetched.ids);
  const missing = missingAfterFetch(before, fetched);
  // Readings were stored and the feed didn't deliver them: it may be dead and only look alive.
  const isBehind =
    isConnected && fetched.purpose === 'check' && newestId > before.newestId && !before.isOutdated;
  const state: FollowState = {
    ...before,
    misses: before.misses + (isBehind ? 1 : 0),
    isCaughtUp: isConnected,
    historyReason: fetched.lacksHistory ? before.historyReason : undefined,
    newestId,
    missing,
    looks: missing.some((id) => id > before.newestId) ? 0 : before.looks,
  };
  const { misses, looks } = state;
  if (isBehind && !before.deliversEveryInsert && misses <= SILENT) {
    return { state, effects: { schedule: { purpose: 'restart', ms: GRACE_MS } } };
  }
  if (isBehind && (misses <= SILENT || misses % RESTART_POLLS === 0)) return restart(state);
  const report = reportOf(state);
  // A page that is still connecting is reported only with a reason.
  const effects: Effects = isConnected || report.reason ? { report } : {};
  if (fetched.lacksHistory) {
    const next = fetchNow(state, 'rest');
    return { ...next, effects: { ...effects, ...next.effects } };
  }
  const schedule = (timer: Timer): Step => ({ state, effects: { ...effects, schedule: timer } });
  if (!report.isLive) return schedule({ purpose: isConnected ? 'check' : 'catch-up', ms: POLL_MS });
  if (state.isOutdated) return schedule(catchUpIn(GAP_MS));
  if (looks < LOOKS && missing.length > 0) return schedule(lookOf(looks));
  return { state: { ...state, missing: [] }, effects: { ...effects, schedule: checkOf(state) } };
}

/** What has come is shown, and live if it was. The next fetch that succeeds asks for the rest again. */
function onRestFailed(before: FollowState, historyReason: string): Step {
  const state = { ...before, isCaughtUp: before.isConnected, historyReason };
  return { state, effects: { report: reportOf(state), schedule: catchUpIn(POLL_MS) } };
}

function reportOf(state: FollowState): Report {
  const { isConnected, silentReason, feedReason, historyReason } = state;
  const isLive = isConnected && !isSilent(state);
  const reason = isConnected && !isLive ? silentReason : feedReason;
  return { isLive, reason: reason ?? historyReason };
}

const isSilent = ({ misses }: FollowState) => misses >= SILENT;

/** True if a fetch is due within `GAP_MS`, or as soon as the one under way has ended. */
const isFetchDue = ({ isOutdated, missing, looks }: FollowState) =>
  isOutdated || (missing.length > 0 && looks === 0);

function lookOf(looks: number): Timer {
  return { purpose: 'look', ms: Math.min(GAP_MS * 2 ** looks, QUIET_MS) };
}

function checkOf({ deliversEveryInsert, hasDelivered, misses }: FollowState): Timer {
  const isTrusted = misses === 0 && (deliversEveryInsert || hasDelivered);
  return { purpose: 'check', ms: isTrusted ? QUIET_MS : DOUBT_MS };
}

function fetchNow(state: FollowState, purpose: Purpose): Step {
  return { state: { ...state, isCaughtUp: false, isOutdated: false }, effects: { fetch: purpose } };
}

function retry(state: FollowState, reason?: string): Step {
  return { state, effects: { report: { isLive: false, reason }, schedule: catchUpIn(RETRY_MS) } };
}

/** Subscribes again. Fetches at once unless offline, because that is sooner than the feed connects. */
function restart(state: FollowState, isOnline = true): Step {
  const first = isOnline
    ? fetchNow(state, 'catch-up')
    : { state, effects: { schedule: catchUpIn(PATIENCE_MS) } };
  return {
    state: { ...first.state, ...UNCONNECTED },
    effects: { stop: true, subscribe: true, ...first.effects },
  };
}

function catchUpIn(ms: number): Timer {
  return { purpose: 'catch-up', ms };
}
