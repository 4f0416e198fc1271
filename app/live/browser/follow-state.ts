import type { LiveFeed } from './live-feed';

/** Why the page fetches: to get what it lacks, to check a quiet feed, or to get the older part of its history. */
export type Purpose = 'catch-up' | 'check' | 'rest';

export interface FollowState extends Pick<LiveFeed, 'deliversEveryInsert' | 'silentReason'> {
  isConnected: boolean;
  /** The feed's reason for being disconnected. */
  feedReason?: string;
  /** True if the feed has delivered an insert since the page subscribed. */
  hasDelivered: boolean;
  /** How many checks have found inserts that the feed missed, since it delivered one. */
  misses: number;
  /** True if a fetch has succeeded since the feed connected, and no other is under way. */
  isCaughtUp: boolean;
  /** True if an insert came without its reading, so that only a fetch that begins later brings it. */
  isOutdated: boolean;
  /** Why the older part of the history couldn't be fetched. */
  historyReason?: string;
  /** The highest id of any sensor that was delivered or fetched; 0 before the first, because ids start at 1. */
  newestId: number;
  /** Ids below `newestId` that were neither delivered nor fetched. */
  missing: readonly number[];
  /** How often the page has looked for them since the last one was missed. */
  looks: number;
}

export type FollowEvent =
  /** The page is visible and was just rendered. */
  | { type: 'opened' }
  /** The page shows another sensor, and may lack its history. */
  | { type: 'switched' }
  /** The page was shown, went offline or online, or its machine slept: the connection may be dead. */
  | { type: 'interrupted'; isOnline: boolean }
  /** The page was hidden or closed. */
  | { type: 'left' }
  | { type: 'connected' }
  | { type: 'disconnected'; reason?: string }
  /** An insert of any sensor. Without `id` if the feed delivered it without its values, or with a time that needs a fetch. */
  | { type: 'inserted'; id?: number }
  | { type: 'timerFired'; purpose: Timer['purpose'] }
  | ({ type: 'fetched'; purpose: Purpose } & FetchedIds)
  /** The fetch showed that the table was emptied: the page has forgotten its readings. */
  | { type: 'emptied' }
  | { type: 'fetchFailed'; purpose: Purpose; reason: string };

/** The result of a fetch. */
export interface FetchedIds {
  /** The ids that it brought, and the highest known one. */
  ids: readonly number[];
  /** The fetch would have brought every id above this one. */
  above: number;
  /** True if the page still lacks the older part of its history. */
  lacksHistory: boolean;
}

/** The page's next actions: at most one of each, performed in this order. */
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

/** Live: the page has the newest readings and inserts arrive. `reason` says what is wrong, even then. */
export interface Report {
  isLive: boolean;
  reason?: string;
}

export interface Timer {
  purpose: Exclude<Purpose, 'rest'> | 'look' | 'restart';
  ms: number;
}

export interface Step {
  state: FollowState;
  effects: Effects;
}

/** A feed's properties, known before it has connected. */
export const UNCONNECTED = {
  isConnected: false,
  feedReason: undefined,
  hasDelivered: false,
  isCaughtUp: false,
};

/** Returns the state of a page before it has followed this feed. */
export function startFollowing({
  deliversEveryInsert,
  silentReason,
}: Pick<LiveFeed, 'deliversEveryInsert' | 'silentReason'>): FollowState {
  const known = { misses: 0, isOutdated: false, newestId: 0, missing: [], looks: 0 };
  return { deliversEveryInsert, silentReason, ...UNCONNECTED, ...known };
}
