import { describe, expect, test } from 'vitest';
import {
  type Effects,
  type FetchedIds,
  type FollowEvent,
  type FollowState,
  type Purpose,
  startFollowing,
  step,
} from '../../../app/live/browser/follow';

/** A feed that delivers every insert, and one that may lose some. */
export const reliable = startFollowing({ deliversEveryInsert: true });
export const lossy = startFollowing({ deliversEveryInsert: false, silentReason: 'silent' });

export const live = { isConnected: true, hasDelivered: true, isCaughtUp: true };
export const unconnected = { isConnected: false, hasDelivered: false, isCaughtUp: false };
export const catchUpIn = (ms: number) => ({ schedule: { purpose: 'catch-up', ms } }) as const;
export const lookIn = (ms: number) => ({ schedule: { purpose: 'look', ms } }) as const;
export const checkLater = { schedule: { purpose: 'check', ms: 44_000 } } as const;
export const checkSoon = { schedule: { purpose: 'check', ms: 15_000 } } as const;
export const report = (reason: string) => ({ report: { isLive: false, reason } });
export const reportLive = { report: { isLive: true } };
/** The page has started a fetch. */
export const fetching = { isCaughtUp: false };
/** Subscribes again and fetches at once. */
export const restart = { stop: true, subscribe: true, fetch: 'catch-up' } as const;

export interface Transition {
  title: string;
  given: FollowState;
  event: FollowEvent;
  /** The part of the state that changes. */
  changes?: Partial<FollowState>;
  effects: Effects;
}

/** A fetch that returned these ids, all that are above 0, and completed the history. */
export const fetched = (ids: number[], purpose: Purpose = 'catch-up', rest: Partial<FetchedIds> = {}) =>
  ({ type: 'fetched', purpose, ids, above: 0, lacksHistory: false, ...rest }) as const;

/** A page on a connected feed that has fetched since its last insert. */
export const fetchedOn = (feed: FollowState) => ({
  ...feed,
  isConnected: true,
  hasDelivered: true,
  newestId: 9,
  looks: 1,
});

/** Tests the result of `step` for these events. */
export function testTransitions(subject: string, transitions: Transition[]): void {
  describe(subject, () => {
    test.each(transitions)('$title', ({ given, event, changes, effects }) => {
      expect(step(Object.freeze(given), event)).toEqual({ state: { ...given, ...changes }, effects });
    });
  });
}
