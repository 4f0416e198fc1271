import { MIN_STALE_MS } from '../../readings/now/stale';
import type { LiveFeed } from './live-feed';
import { HOSTED_LOOKBACK } from './live-feed';

/** The reason for a fetch: to get missing readings, to check a quiet feed, or to get the older part of the history. */
export type Purpose = 'catch-up' | 'check' | 'rest';

export interface FollowState extends Pick<LiveFeed, 'deliversEveryInsert' | 'silentReason'> {
  isConnected: boolean;
  feedReason?: string;
  /** True if the feed has delivered an insert since the page subscribed. */
  hasDelivered: boolean;
  /** The number of checks that found missed inserts since the feed last delivered one. */
  misses: number;
  /** True if a fetch has succeeded since the feed connected, and none is in progress. */
  isCaughtUp: boolean;
  /** True if an insert came without its reading, which only a later fetch brings. */
  isOutdated: boolean;
  /** The reason why the older part of the history couldn't be fetched. */
  historyReason?: string;
  /** The highest known id of any sensor; 0 if there is no reading. */
  newestId: number;
  /** Ids below `newestId` that were neither delivered nor fetched. */
  missing: readonly number[];
  /** The number of fetches since the last id in `missing` was added. */
  looks: number;
}

export type FollowEvent =
  | { type: 'opened' }
  /** The page shows another sensor, whose history it may lack. */
  | { type: 'switched' }
  /** The page became visible, went offline or online, or its machine slept. The connection may be dead. */
  | { type: 'interrupted'; isOnline: boolean }
  | { type: 'left' }
  | { type: 'connected' }
  | { type: 'disconnected'; reason?: string }
  /**
   * An insert of any sensor. `id` is missing if the feed delivered no values, or if a fetch has to check the reading's
   * time.
   */
  | { type: 'inserted'; id?: number }
  | { type: 'timerFired'; purpose: Timer['purpose'] }
  | ({ type: 'fetched'; purpose: Purpose } & FetchedIds)
  /** A fetch showed that the table was emptied. The page has forgotten its readings. */
  | { type: 'emptied' }
  | { type: 'fetchFailed'; purpose: Purpose; reason: string };

export interface FetchedIds {
  /** The fetched ids and the highest known one. */
  ids: readonly number[];
  /** The response contains every id above this one. */
  above: number;
  /** True if the page still lacks the older part of its history. */
  lacksHistory: boolean;
}

export interface Effects {
  stop?: true;
  subscribe?: true;
  report?: Report;
  /** Aborts the current fetch and clears the timer. */
  fetch?: Purpose;
  /** Replaces the timer. */
  schedule?: Timer;
}

/**
 * `isLive` means that the page has the newest readings and inserts arrive. `reason` describes a problem, even on a live
 * page.
 */
export interface Report {
  isLive: boolean;
  reason?: string;
}

interface Timer {
  purpose: Exclude<Purpose, 'rest'> | 'look' | 'restart';
  ms: number;
}

export interface Step {
  state: FollowState;
  effects: Effects;
}

const UNCONNECTED = {
  isConnected: false,
  feedReason: undefined,
  hasDelivered: false,
  isCaughtUp: false,
};

export function startFollowing({
  deliversEveryInsert,
  silentReason,
}: Pick<LiveFeed, 'deliversEveryInsert' | 'silentReason'>): FollowState {
  const known = { misses: 0, isOutdated: false, newestId: 0, missing: [], looks: 0 };
  return { deliversEveryInsert, silentReason, ...UNCONNECTED, ...known };
}

/** The delay before a failed fetch is retried. */
const RETRY_MS = 1000;
/** The time that a page waits for the feed before it fetches without it. */
const PATIENCE_MS = 2000;
/** The interval between fetches while the feed is down but the server answers. */
const POLL_MS = 5000;
/**
 * The first delay before the page looks for missed inserts. The delays double. The search lasts over two minutes, the
 * longest time of a transaction.
 */
const GAP_MS = 1000;
const LOOKS = 8;
/**
 * A feed without inserts for this long is checked by a fetch, because a connection can die silently. A second before a
 * reading can be stale, so that a page doubts the connection before it blames the sensor.
 */
const QUIET_MS = MIN_STALE_MS - 1000;
/**
 * The same for a doubtful feed: it has failed a check, or it may lose inserts and has delivered none yet.
 */
const DOUBT_MS = 15_000;
/** The time that a feed may take to deliver an insert that a check found. */
const GRACE_MS = 2000;
/** A feed that has failed this many checks without delivering anything since is silent, and the page polls. */
const SILENT = 2;
/** A silent feed is restarted after this many polls that found inserts. */
const RESTART_POLLS = 12;

/** Decides how a page keeps up with the store. A pure function: `followReadings` performs the effects. */
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
  // A late look also counts as a check. Otherwise the check would wait until the search ends.
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
  // Further inserts must not delay the fetch that the first one has scheduled.
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
  // Readings were stored but the feed didn't deliver them, so it may be dead although it looks alive.
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
  // While the page is still connecting, it reports only problems.
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

/** The page shows the readings that it has. The next successful fetch leads to another attempt for the rest. */
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

/** True if a fetch is due within `GAP_MS` or after the current one. */
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

/** Subscribes again. If online, also fetches at once, which is faster than waiting for the feed. */
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

interface KnownIds {
  deliversEveryInsert: boolean;
  newestId: number;
  missing: readonly number[];
}

/** Returns the missing ids below an insert. A late insert counts as missing too, because the ids may have restarted. */
function skippedIds({ deliversEveryInsert, newestId, missing }: KnownIds, id?: number): number[] {
  if (id === undefined || deliversEveryInsert || id === newestId || missing.includes(id)) return [];
  return id < newestId ? [id] : idsBetween(newestId, id);
}

/** Keeps only as many missing ids as a fetch may bring, the highest ones. */
function missingAfterInsert(missing: readonly number[], skipped: number[], id?: number): number[] {
  return [...missing.filter((other) => other !== id), ...skipped].slice(-HOSTED_LOOKBACK);
}

/**
 * Returns the missing ids after a fetch, including those between fetched ones, whose transactions may be open. Drops
 * ids that no fetch of this page would bring.
 */
function missingAfterFetch(
  { deliversEveryInsert, newestId, missing }: KnownIds,
  { ids, above }: FetchedIds,
): number[] {
  const fetched = new Set(ids);
  const skipped = deliversEveryInsert ? [] : idsBetween(newestId, Math.max(newestId, ...ids));
  return [...missing, ...skipped].filter((id) => id > above && !fetched.has(id)).slice(-HOSTED_LOOKBACK);
}

/** Returns the ids between `known` and `id`, limited to the number that is remembered. */
function idsBetween(known: number, id: number): number[] {
  const first = Math.max(known + 1, id - HOSTED_LOOKBACK);
  return Array.from({ length: Math.max(0, id - first) }, (_, i) => first + i);
}
