import { describe, expect, test } from 'vitest';
import {
  type Effect,
  type FollowEvent,
  type FollowState,
  startFollowing,
  step,
} from '../../../app/live/browser/follow-state';

/** A feed that delivers every insert, and one that may lose some. */
const reliable = startFollowing(true);
const lossy = startFollowing(false);

const live = { isConnected: true, isCaughtUp: true };
const VISIBLE = { isVisible: true, isOnline: true };

const STOP: Effect = { type: 'stop' };
const SUBSCRIBE: Effect = { type: 'subscribe' };
const LIVE: Effect = { type: 'reportLive' };
const CATCH_UP: Effect = { type: 'fetch', purpose: 'catch-up' };
const catchUpIn = (ms: number): Effect => ({ type: 'schedule', purpose: 'catch-up', ms });
const CHECK_LATER: Effect = { type: 'schedule', purpose: 'check', ms: 45_000 };
const disconnected = (reason?: string): Effect => ({ type: 'reportDisconnected', reason });

interface Transition {
  title: string;
  given: FollowState;
  event: FollowEvent;
  /** The part of the state that changes. */
  changes?: Partial<FollowState>;
  effects: Effect[];
}

const opening: Transition[] = [
  {
    title: 'a visible page subscribes and fetches after 2 s if the feed has not connected by then',
    given: reliable,
    event: { type: 'opened', ...VISIBLE },
    effects: [catchUpIn(2000), SUBSCRIBE],
  },
  {
    title: 'a page opened offline remembers it',
    given: reliable,
    event: { type: 'opened', isVisible: true, isOnline: false },
    changes: { isOnline: false },
    effects: [catchUpIn(2000), SUBSCRIBE],
  },
  {
    title: 'a page opened in the background waits until it is shown',
    given: reliable,
    event: { type: 'opened', isVisible: false, isOnline: true },
    effects: [],
  },
];

const interruptions: Transition[] = [
  {
    title: 'a page that is shown subscribes again and fetches at once',
    given: { ...reliable, isOnline: false, hasGap: true },
    event: { type: 'interrupted', ...VISIBLE },
    changes: { isOnline: true, hasGap: false },
    effects: [STOP, SUBSCRIBE, CATCH_UP],
  },
  {
    title: 'a live page that slept gives up its connection, which may be dead',
    given: { ...reliable, ...live, newestId: 7 },
    event: { type: 'interrupted', ...VISIBLE },
    changes: { isConnected: false, isCaughtUp: false },
    effects: [STOP, SUBSCRIBE, CATCH_UP],
  },
  {
    title: 'a page that goes offline subscribes again and does not fetch at once',
    given: { ...reliable, ...live },
    event: { type: 'interrupted', isVisible: true, isOnline: false },
    changes: { isConnected: false, isCaughtUp: false, isOnline: false },
    effects: [STOP, catchUpIn(2000), SUBSCRIBE],
  },
  {
    title: 'a hidden page gives its connection back',
    given: { ...reliable, ...live },
    event: { type: 'interrupted', isVisible: false, isOnline: true },
    changes: { isConnected: false, isCaughtUp: false },
    effects: [STOP],
  },
  {
    title: 'a page that is left stops and forgets why the feed was down',
    given: { ...reliable, feedReason: 'no table' },
    event: { type: 'left' },
    changes: { feedReason: undefined },
    effects: [STOP],
  },
];

const feeds: Transition[] = [
  {
    title: 'a feed that connects makes the page catch up',
    given: { ...reliable, feedReason: 'no table', hasGap: true },
    event: { type: 'feedConnected' },
    changes: { isConnected: true, feedReason: undefined, hasGap: false },
    effects: [CATCH_UP],
  },
  {
    title: 'a feed that connects again makes the page catch up again',
    given: { ...lossy, ...live },
    event: { type: 'feedConnected' },
    changes: { isCaughtUp: false },
    effects: [CATCH_UP],
  },
  {
    title: 'a feed that disconnects is reported, and the page fetches after 1 s',
    given: { ...reliable, ...live },
    event: { type: 'feedDisconnected', reason: 'no table' },
    changes: { isConnected: false, isCaughtUp: false, feedReason: 'no table' },
    effects: [disconnected('no table'), catchUpIn(1000)],
  },
];

const inserts: Transition[] = [
  {
    title: 'an insert puts off the check of a quiet feed',
    given: { ...reliable, ...live },
    event: { type: 'inserted', id: 7 },
    changes: { newestId: 7 },
    effects: [CHECK_LATER],
  },
  {
    title: 'ids may have gaps on a feed that delivers every insert',
    given: { ...reliable, ...live, newestId: 7 },
    event: { type: 'inserted', id: 70 },
    changes: { newestId: 70 },
    effects: [CHECK_LATER],
  },
  {
    title: 'the next id leaves no gap on a lossy feed',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 8 },
    changes: { newestId: 8 },
    effects: [CHECK_LATER],
  },
  {
    title: 'a gap between ids on a lossy feed is fetched after 1 s',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 9 },
    changes: { hasGap: true, newestId: 9 },
    effects: [catchUpIn(1000)],
  },
  {
    title: 'the first insert of a lossy feed may follow a lost one',
    given: { ...lossy, ...live },
    event: { type: 'inserted', id: 9 },
    changes: { hasGap: true, newestId: 9 },
    effects: [catchUpIn(1000)],
  },
  {
    title: 'a late insert on a lossy feed is a gap and not the newest',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 5 },
    changes: { hasGap: true },
    effects: [catchUpIn(1000)],
  },
  {
    title: 'an insert without values is fetched after 1 s',
    given: { ...reliable, ...live, newestId: 7 },
    event: { type: 'inserted', id: null },
    changes: { hasGap: true },
    effects: [catchUpIn(1000)],
  },
  {
    title: 'further inserts do not put off the fetch of a gap',
    given: { ...lossy, ...live, newestId: 9, hasGap: true },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10 },
    effects: [],
  },
  {
    title: 'an insert during a fetch leaves the timer alone',
    given: { ...reliable, isConnected: true },
    event: { type: 'inserted', id: 7 },
    changes: { newestId: 7 },
    effects: [],
  },
  {
    title: 'a gap during a fetch is remembered',
    given: { ...lossy, isConnected: true, newestId: 7 },
    event: { type: 'inserted', id: 9 },
    changes: { hasGap: true, newestId: 9 },
    effects: [],
  },
];

const fetches: Transition[] = [
  {
    title: 'the timer starts a fetch for its purpose',
    given: { ...reliable, ...live, hasGap: true },
    event: { type: 'timerFired', purpose: 'check' },
    changes: { isCaughtUp: false, hasGap: false },
    effects: [{ type: 'fetch', purpose: 'check' }],
  },
  {
    title: 'a page that has caught up on a connected feed is live',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetched', purpose: 'catch-up', count: 5 },
    changes: { isCaughtUp: true },
    effects: [LIVE, CHECK_LATER],
  },
  {
    title: 'a check that finds nothing leaves the feed alone',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetched', purpose: 'check', count: 0 },
    changes: { isCaughtUp: true },
    effects: [LIVE, CHECK_LATER],
  },
  {
    title: 'a check that finds readings replaces a feed that should have delivered them',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetched', purpose: 'check', count: 1 },
    changes: { isConnected: false },
    effects: [STOP, SUBSCRIBE, CATCH_UP],
  },
  {
    title: 'a check that finds readings offline replaces the feed and waits',
    given: { ...reliable, isConnected: true, isOnline: false },
    event: { type: 'fetched', purpose: 'check', count: 1 },
    changes: { isConnected: false },
    effects: [STOP, catchUpIn(2000), SUBSCRIBE],
  },
  {
    title: 'a check of a lossy feed always finds readings, because it looks back',
    given: { ...lossy, isConnected: true },
    event: { type: 'fetched', purpose: 'check', count: 300 },
    changes: { isCaughtUp: true },
    effects: [LIVE, CHECK_LATER],
  },
  {
    title: 'a gap that appeared during the fetch is fetched after 1 s',
    given: { ...lossy, isConnected: true, hasGap: true },
    event: { type: 'fetched', purpose: 'catch-up', count: 0 },
    changes: { isCaughtUp: true },
    effects: [LIVE, catchUpIn(1000)],
  },
  {
    title: 'a page without its feed polls every 5 s',
    given: reliable,
    event: { type: 'fetched', purpose: 'catch-up', count: 3 },
    effects: [catchUpIn(5000)],
  },
  {
    title: 'a page without its feed repeats the feed’s reason, because the server’s no longer holds',
    given: { ...reliable, feedReason: 'no table' },
    event: { type: 'fetched', purpose: 'catch-up', count: 0 },
    effects: [disconnected('no table'), catchUpIn(5000)],
  },
  {
    title: 'a failed fetch is reported and retried after 1 s',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetchFailed', reason: 'disk full' },
    effects: [disconnected('disk full'), catchUpIn(1000)],
  },
];

describe.each([
  ['opening', opening],
  ['interruptions', interruptions],
  ['the feed', feeds],
  ['inserts', inserts],
  ['fetches', fetches],
])('%s', (_, transitions) => {
  test.each(transitions)('$title', ({ given, event, changes, effects }) => {
    expect(step(Object.freeze(given), event)).toEqual({ state: { ...given, ...changes }, effects });
  });
});
