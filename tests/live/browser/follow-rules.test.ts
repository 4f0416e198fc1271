import { describe, expect, test } from 'vitest';
import {
  type Effects,
  type FollowEvent,
  type FollowState,
  startFollowing,
  step,
} from '../../../app/live/browser/follow-rules';

/** A feed that delivers every insert, and one that may lose some. */
const reliable = startFollowing(true);
const lossy = startFollowing(false);

const live = { isConnected: true, isCaughtUp: true };
const catchUpIn = (ms: number) => ({ schedule: { purpose: 'catch-up', ms } }) as const;
const checkLater = { schedule: { purpose: 'check', ms: 45_000 } } as const;
const report = (reason: string) => ({ report: { isLive: false, reason } });
const reportLive = { report: { isLive: true } };
/** Subscribes again and fetches at once. */
const restart = { stop: true, subscribe: true, fetch: 'catch-up' } as const;

interface Transition {
  title: string;
  given: FollowState;
  event: FollowEvent;
  /** The part of the state that changes. */
  changes?: Partial<FollowState>;
  effects: Effects;
}

const pages: Transition[] = [
  {
    title: 'a page that was opened subscribes, and fetches after 2 s if the feed has not connected by then',
    given: reliable,
    event: { type: 'opened' },
    effects: { subscribe: true, ...catchUpIn(2000) },
  },
  {
    title: 'a page that was interrupted subscribes again, as its connection may be dead, and fetches at once',
    given: { ...lossy, ...live, hasGap: true, newestId: 7 },
    event: { type: 'interrupted', isOnline: true },
    changes: { isConnected: false, isCaughtUp: false, hasGap: false },
    effects: restart,
  },
  {
    title: 'a page that is offline subscribes again and does not fetch at once',
    given: { ...reliable, ...live },
    event: { type: 'interrupted', isOnline: false },
    changes: { isConnected: false, isCaughtUp: false },
    effects: { stop: true, subscribe: true, ...catchUpIn(2000) },
  },
  {
    title: 'a page that is left stops and forgets the connection',
    given: { ...reliable, ...live, newestId: 7, feedReason: 'no table' },
    event: { type: 'left' },
    changes: { isConnected: false, isCaughtUp: false, feedReason: undefined },
    effects: { stop: true },
  },
];

const feeds: Transition[] = [
  {
    title: 'a feed that connects makes the page catch up',
    given: { ...reliable, feedReason: 'no table', hasGap: true },
    event: { type: 'connected' },
    changes: { isConnected: true, feedReason: undefined, hasGap: false },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a feed that connects again makes the page catch up again',
    given: { ...lossy, ...live },
    event: { type: 'connected' },
    changes: { isCaughtUp: false },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a feed that disconnects is reported, and the page fetches after 1 s',
    given: { ...reliable, ...live },
    event: { type: 'disconnected', reason: 'no table' },
    changes: { isConnected: false, isCaughtUp: false, feedReason: 'no table' },
    effects: { ...report('no table'), ...catchUpIn(1000) },
  },
];

const inserts: Transition[] = [
  {
    title: 'an insert puts off the check of a quiet feed',
    given: { ...reliable, ...live },
    event: { type: 'inserted', id: 7 },
    changes: { newestId: 7 },
    effects: checkLater,
  },
  {
    title: 'ids may have gaps on a feed that delivers every insert',
    given: { ...reliable, ...live, newestId: 7 },
    event: { type: 'inserted', id: 70 },
    changes: { newestId: 70 },
    effects: checkLater,
  },
  {
    title: 'the next id leaves no gap on a lossy feed',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 8 },
    changes: { newestId: 8 },
    effects: checkLater,
  },
  {
    title: 'a gap between ids on a lossy feed is fetched after 1 s',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 9 },
    changes: { hasGap: true, newestId: 9 },
    effects: catchUpIn(1000),
  },
  {
    title: 'the first insert of a lossy feed may follow a lost one',
    given: { ...lossy, ...live },
    event: { type: 'inserted', id: 9 },
    changes: { hasGap: true, newestId: 9 },
    effects: catchUpIn(1000),
  },
  {
    title: 'a late insert on a lossy feed is a gap and not the newest',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 5 },
    changes: { hasGap: true },
    effects: catchUpIn(1000),
  },
  {
    title: 'an insert without values is fetched after 1 s',
    given: { ...reliable, ...live, newestId: 7 },
    event: { type: 'inserted' },
    changes: { hasGap: true },
    effects: catchUpIn(1000),
  },
  {
    title: 'further inserts do not put off the fetch of a gap',
    given: { ...lossy, ...live, newestId: 9, hasGap: true },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10 },
    effects: {},
  },
  {
    title: 'an insert during a fetch leaves the timer alone',
    given: { ...reliable, isConnected: true },
    event: { type: 'inserted', id: 7 },
    changes: { newestId: 7 },
    effects: {},
  },
  {
    title: 'a gap during a fetch is remembered',
    given: { ...lossy, isConnected: true, newestId: 7 },
    event: { type: 'inserted', id: 9 },
    changes: { hasGap: true, newestId: 9 },
    effects: {},
  },
];

const fetches: Transition[] = [
  {
    title: 'the timer starts a fetch for its purpose',
    given: { ...reliable, ...live, hasGap: true },
    event: { type: 'timerFired', purpose: 'check' },
    changes: { isCaughtUp: false, hasGap: false },
    effects: { fetch: 'check' },
  },
  {
    title: 'a page that has caught up on a connected feed is live',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetched', purpose: 'catch-up', count: 5 },
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a check that finds nothing leaves the feed alone',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetched', purpose: 'check', count: 0 },
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a check that finds readings replaces a feed that should have delivered them',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetched', purpose: 'check', count: 1 },
    changes: { isConnected: false },
    effects: restart,
  },
  {
    title: 'a check of a lossy feed always finds readings, because it looks back',
    given: { ...lossy, isConnected: true },
    event: { type: 'fetched', purpose: 'check', count: 300 },
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a gap that appeared during the fetch is fetched after 1 s',
    given: { ...lossy, isConnected: true, hasGap: true },
    event: { type: 'fetched', purpose: 'catch-up', count: 0 },
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...catchUpIn(1000) },
  },
  {
    title: 'a page without its feed polls every 5 s',
    given: reliable,
    event: { type: 'fetched', purpose: 'catch-up', count: 3 },
    effects: catchUpIn(5000),
  },
  {
    title: "a page without its feed repeats the feed's reason, because the server's no longer holds",
    given: { ...reliable, feedReason: 'no table' },
    event: { type: 'fetched', purpose: 'catch-up', count: 0 },
    effects: { ...report('no table'), ...catchUpIn(5000) },
  },
  {
    title: 'a failed fetch is reported and retried after 1 s',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetchFailed', reason: 'disk full' },
    effects: { ...report('disk full'), ...catchUpIn(1000) },
  },
];

describe.each([
  ['the page', pages],
  ['the feed', feeds],
  ['inserts', inserts],
  ['fetches', fetches],
])('%s', (_, transitions) => {
  test.each(transitions)('$title', ({ given, event, changes, effects }) => {
    expect(step(Object.freeze(given), event)).toEqual({ state: { ...given, ...changes }, effects });
  });
});
