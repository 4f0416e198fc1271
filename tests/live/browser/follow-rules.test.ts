import { describe, expect, test } from 'vitest';
import {
  type Effects,
  type FollowEvent,
  type FollowState,
  startFollowing,
  step,
} from '../../../app/live/browser/follow-rules';

/** A feed that delivers every insert, and one that may lose some. */
const reliable = startFollowing({ deliversEveryInsert: true });
const lossy = startFollowing({ deliversEveryInsert: false, silentReason: 'silent' });

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
    given: { ...lossy, ...live, missing: [6], looks: 1, newestId: 7 },
    event: { type: 'interrupted', isOnline: true },
    changes: { isConnected: false, isCaughtUp: false, missing: [], looks: 0 },
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
    given: { ...reliable, feedReason: 'no table' },
    event: { type: 'connected' },
    changes: { isConnected: true, feedReason: undefined },
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
    event: { type: 'inserted', id: 10 },
    changes: { missing: [8, 9], looks: 1, newestId: 10 },
    effects: catchUpIn(1000),
  },
  {
    title: 'the first insert of a lossy feed may follow lost ones',
    given: { ...lossy, ...live },
    event: { type: 'inserted', id: 3 },
    changes: { missing: [1, 2], looks: 1, newestId: 3 },
    effects: catchUpIn(1000),
  },
  {
    title: 'a late insert on a lossy feed is looked for, because the ids may have begun again',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 5 },
    changes: { missing: [5], looks: 1 },
    effects: catchUpIn(1000),
  },
  {
    title: 'a late insert that closes a gap ends the search for it',
    given: { ...lossy, ...live, newestId: 7, missing: [5], looks: 3 },
    event: { type: 'inserted', id: 5 },
    changes: { missing: [] },
    effects: checkLater,
  },
  {
    title: 'an event that repeats the newest insert is no gap',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 7 },
    effects: checkLater,
  },
  {
    title: 'an insert without values is fetched after 1 s',
    given: { ...reliable, ...live, newestId: 7 },
    event: { type: 'inserted' },
    changes: { missing: [8], looks: 1 },
    effects: catchUpIn(1000),
  },
  {
    title: 'further inserts do not put off the fetch of a gap',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 4 },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10 },
    effects: {},
  },
  {
    title: 'another gap brings the next look forward',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 4 },
    event: { type: 'inserted', id: 11 },
    changes: { newestId: 11, missing: [8, 10], looks: 1 },
    effects: catchUpIn(1000),
  },
  {
    title: 'another gap does not put off the first look',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 1 },
    event: { type: 'inserted', id: 11 },
    changes: { newestId: 11, missing: [8, 10] },
    effects: {},
  },
  {
    title: 'an insert clears a feed of the suspicion that it is dead',
    given: { ...lossy, ...live, newestId: 9, misses: 1 },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10, misses: 0 },
    effects: checkLater,
  },
  {
    title: 'an insert of a silent feed makes the page catch up, after which it is live',
    given: { ...lossy, ...live, newestId: 9, misses: 2 },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10, misses: 0, isCaughtUp: false },
    effects: { fetch: 'catch-up' },
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
    changes: { missing: [8], newestId: 9 },
    effects: {},
  },
];

const fetched = (ids: number[], purpose: 'check' | 'catch-up' = 'catch-up', isPart?: boolean) =>
  ({ type: 'fetched', purpose, ids, isPart }) as const;

const fetches: Transition[] = [
  {
    title: 'the timer starts a fetch for its purpose',
    given: { ...reliable, ...live },
    event: { type: 'timerFired', purpose: 'check' },
    changes: { isCaughtUp: false },
    effects: { fetch: 'check' },
  },
  {
    title: 'a page that has caught up on a connected feed is live',
    given: { ...reliable, isConnected: true },
    event: fetched([5, 6]),
    changes: { isCaughtUp: true, newestId: 6 },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a page without its feed polls every 5 s',
    given: { ...reliable, newestId: 3 },
    event: fetched([]),
    effects: catchUpIn(5000),
  },
  {
    title: "a page without its feed repeats the feed's reason, because the server's no longer holds",
    given: { ...reliable, feedReason: 'no table' },
    event: fetched([]),
    effects: { ...report('no table'), ...catchUpIn(5000) },
  },
  {
    title: 'a failed fetch is reported and retried after 1 s',
    given: { ...reliable, isConnected: true },
    event: { type: 'fetchFailed', reason: 'disk full' },
    effects: { ...report('disk full'), ...catchUpIn(1000) },
  },
  {
    title: 'a page whose table was emptied fetches all of it',
    given: { ...lossy, isConnected: true, newestId: 20, missing: [3] },
    event: { type: 'emptied' },
    changes: { newestId: 0, missing: [] },
    effects: { fetch: 'catch-up' },
  },
];

const gaps: Transition[] = [
  {
    title: 'a gap that appeared during the fetch is fetched after 1 s',
    given: { ...lossy, isConnected: true, newestId: 9, missing: [8] },
    event: fetched([9]),
    changes: { isCaughtUp: true, looks: 1 },
    effects: { ...reportLive, ...catchUpIn(1000) },
  },
  {
    title: 'a gap is looked for less and less often',
    given: { ...lossy, isConnected: true, newestId: 9, missing: [8], looks: 6 },
    event: fetched([9]),
    changes: { isCaughtUp: true, looks: 7 },
    effects: { ...reportLive, ...catchUpIn(64_000) },
  },
  {
    title: 'a gap is given up after the longest transaction',
    given: { ...lossy, isConnected: true, newestId: 9, missing: [8], looks: 7 },
    event: fetched([9]),
    changes: { isCaughtUp: true, looks: 0, missing: [] },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a fetch that closes the gap ends the search',
    given: { ...lossy, isConnected: true, newestId: 9, missing: [8], looks: 2 },
    event: fetched([7, 8, 9]),
    changes: { isCaughtUp: true, looks: 0, missing: [] },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a page that fetched a part of its history fetches the rest after 1 s',
    given: { ...lossy, isConnected: true, newestId: 9 },
    event: fetched([9], 'catch-up', true),
    changes: { isCaughtUp: true, looks: 1, missing: [0] },
    effects: { ...reportLive, ...catchUpIn(1000) },
  },
  {
    title: 'a page that fetched all of its history looks for nothing',
    given: { ...lossy, isConnected: true, newestId: 9, looks: 1, missing: [0] },
    event: fetched([8, 9]),
    changes: { isCaughtUp: true, looks: 0, missing: [] },
    effects: { ...reportLive, ...checkLater },
  },
];

const checks: Transition[] = [
  {
    title: 'a check that finds nothing new leaves the feed alone',
    given: { ...lossy, isConnected: true, newestId: 9 },
    event: fetched([8, 9], 'check'),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a check that finds readings replaces a feed that should have delivered them',
    given: { ...reliable, isConnected: true },
    event: fetched([1], 'check'),
    changes: { isConnected: false, newestId: 1, misses: 1 },
    effects: restart,
  },
  {
    title: 'a lossy feed has 2 s to deliver what a check found',
    given: { ...lossy, isConnected: true, newestId: 8 },
    event: fetched([8, 9], 'check'),
    changes: { isCaughtUp: true, newestId: 9 },
    effects: { schedule: { purpose: 'restart', ms: 2000 } },
  },
  {
    title: 'a lossy feed that did not deliver it is replaced',
    given: { ...lossy, ...live, newestId: 9 },
    event: { type: 'timerFired', purpose: 'restart' },
    changes: { isConnected: false, isCaughtUp: false, misses: 1 },
    effects: restart,
  },
  {
    title: 'a feed that was replaced is checked sooner',
    given: { ...lossy, isConnected: true, newestId: 9, misses: 1 },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, schedule: { purpose: 'check', ms: 15_000 } },
  },
  {
    title: 'a feed that misses inserts again is silent: the page says why and polls',
    given: { ...lossy, isConnected: true, newestId: 9, misses: 2 },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...report('silent'), schedule: { purpose: 'check', ms: 5000 } },
  },
  {
    title: 'polls of a silent feed that find inserts are counted',
    given: { ...lossy, isConnected: true, newestId: 9, misses: 10 },
    event: fetched([10], 'check'),
    changes: { isCaughtUp: true, newestId: 10, misses: 11 },
    effects: { ...report('silent'), schedule: { purpose: 'check', ms: 5000 } },
  },
  {
    title: 'a silent feed is replaced after every twelfth of them',
    given: { ...lossy, isConnected: true, newestId: 9, misses: 11 },
    event: fetched([10], 'check'),
    changes: { isConnected: false, newestId: 10, misses: 12 },
    effects: restart,
  },
];

describe.each([
  ['the page', pages],
  ['the feed', feeds],
  ['inserts', inserts],
  ['fetches', fetches],
  ['gaps', gaps],
  ['checks', checks],
])('%s', (_, transitions) => {
  test.each(transitions)('$title', ({ given, event, changes, effects }) => {
    expect(step(Object.freeze(given), event)).toEqual({ state: { ...given, ...changes }, effects });
  });
});
