import { describe, expect, test } from 'vitest';
import { step } from '../../../app/live/browser/follow-rules';
import {
  type Effects,
  type FetchedIds,
  type FollowEvent,
  type FollowState,
  type Purpose,
  startFollowing,
} from '../../../app/live/browser/follow-state';

/** A feed that delivers every insert, and one that may lose some. */
const reliable = startFollowing({ deliversEveryInsert: true });
const lossy = startFollowing({ deliversEveryInsert: false, silentReason: 'silent' });

const live = { isConnected: true, hasDelivered: true, isCaughtUp: true };
const unconnected = { isConnected: false, hasDelivered: false, isCaughtUp: false };
const catchUpIn = (ms: number) => ({ schedule: { purpose: 'catch-up', ms } }) as const;
const lookIn = (ms: number) => ({ schedule: { purpose: 'look', ms } }) as const;
const checkLater = { schedule: { purpose: 'check', ms: 45_000 } } as const;
const checkSoon = { schedule: { purpose: 'check', ms: 15_000 } } as const;
const report = (reason: string) => ({ report: { isLive: false, reason } });
const reportLive = { report: { isLive: true } };
/** The page has begun a fetch. */
const fetching = { isCaughtUp: false };
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
    changes: unconnected,
    effects: restart,
  },
  {
    title: 'a page that is offline subscribes again and does not fetch at once',
    given: { ...reliable, ...live },
    event: { type: 'interrupted', isOnline: false },
    changes: unconnected,
    effects: { stop: true, subscribe: true, ...catchUpIn(2000) },
  },
  {
    title: 'a page that is left stops and forgets the connection',
    given: { ...reliable, ...live, newestId: 7, feedReason: 'no table' },
    event: { type: 'left' },
    changes: { ...unconnected, feedReason: undefined },
    effects: { stop: true },
  },
];

const feeds: Transition[] = [
  {
    title: 'a feed that connects makes the page catch up',
    given: { ...reliable, feedReason: 'no table' },
    event: { type: 'connected' },
    changes: { ...fetching, isConnected: true, feedReason: undefined },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a feed that connects again makes the page catch up again',
    given: { ...lossy, ...live },
    event: { type: 'connected' },
    changes: fetching,
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a feed that disconnects is reported, and the page fetches after 1 s',
    given: { ...reliable, ...live },
    event: { type: 'disconnected', reason: 'no table' },
    changes: { ...unconnected, feedReason: 'no table' },
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
    changes: { missing: [8, 9], newestId: 10 },
    effects: lookIn(1000),
  },
  {
    title: 'the first insert of a lossy feed may follow lost ones',
    given: { ...lossy, ...live },
    event: { type: 'inserted', id: 3 },
    changes: { missing: [1, 2], newestId: 3 },
    effects: lookIn(1000),
  },
  {
    title: 'a late insert on a lossy feed is looked for, because the ids may have begun again',
    given: { ...lossy, ...live, newestId: 7 },
    event: { type: 'inserted', id: 5 },
    changes: { missing: [5] },
    effects: lookIn(1000),
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
    changes: { isOutdated: true },
    effects: catchUpIn(1000),
  },
  {
    title: 'further inserts do not put off that fetch',
    given: { ...lossy, ...live, newestId: 7, isOutdated: true },
    event: { type: 'inserted', id: 8 },
    changes: { newestId: 8 },
    effects: {},
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
    changes: { newestId: 11, missing: [8, 10], looks: 0 },
    effects: lookIn(1000),
  },
  {
    title: 'another gap does not put off the first look',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 0 },
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
    changes: { ...fetching, newestId: 10, misses: 0 },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'an insert during a fetch leaves the timer alone',
    given: { ...reliable, isConnected: true },
    event: { type: 'inserted', id: 7 },
    changes: { newestId: 7, hasDelivered: true },
    effects: {},
  },
  {
    title: 'a gap during a fetch is remembered',
    given: { ...lossy, isConnected: true, newestId: 7, looks: 4 },
    event: { type: 'inserted', id: 9 },
    changes: { missing: [8], newestId: 9, looks: 0, hasDelivered: true },
    effects: {},
  },
];

/** A fetch that brought these ids of all above 0, and leaves no history to fetch. */
const fetched = (ids: number[], purpose: Purpose = 'catch-up', rest: Partial<FetchedIds> = {}) =>
  ({ type: 'fetched', purpose, ids, above: 0, lacksHistory: false, ...rest }) as const;

/** A page on a connected feed that has fetched since its last insert. */
const fetchedOn = (feed: FollowState) => ({
  ...feed,
  isConnected: true,
  hasDelivered: true,
  newestId: 9,
  looks: 1,
});

const fetches: Transition[] = [
  {
    title: 'the timer starts a fetch for its purpose',
    given: { ...reliable, ...live },
    event: { type: 'timerFired', purpose: 'check' },
    changes: fetching,
    effects: { fetch: 'check' },
  },
  {
    title: 'a fetch that begins after an insert without values brings it',
    given: { ...reliable, ...live, isOutdated: true },
    event: { type: 'timerFired', purpose: 'catch-up' },
    changes: { ...fetching, isOutdated: false },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a fetch may have begun before an insert without values, so another follows after 1 s',
    given: { ...fetchedOn(lossy), isOutdated: true },
    event: fetched([9, 10]),
    changes: { isCaughtUp: true, newestId: 10 },
    effects: { ...reportLive, ...catchUpIn(1000) },
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
    event: { type: 'fetchFailed', purpose: 'catch-up', reason: 'disk full' },
    effects: { ...report('disk full'), ...catchUpIn(1000) },
  },
  {
    title: 'a page whose table was emptied fetches all of it',
    given: { ...lossy, isConnected: true, newestId: 20, missing: [3] },
    event: { type: 'emptied' },
    changes: { ...fetching, newestId: 0, missing: [] },
    effects: { fetch: 'catch-up' },
  },
];

const history: Transition[] = [
  {
    title: 'a page that lacks history fetches the rest at once, and is live meanwhile',
    given: fetchedOn(lossy),
    event: fetched([9], 'catch-up', { lacksHistory: true }),
    effects: { ...reportLive, fetch: 'rest' },
  },
  {
    title: 'a page without its feed fetches the rest too',
    given: { ...lossy, newestId: 9 },
    event: fetched([9], 'catch-up', { lacksHistory: true }),
    effects: { fetch: 'rest' },
  },
  {
    title: 'a page that cannot fetch the rest is live, says why, and fetches again after 5 s',
    given: fetchedOn(lossy),
    event: { type: 'fetchFailed', purpose: 'rest', reason: 'slow' },
    changes: { isCaughtUp: true, historyReason: 'slow' },
    effects: { report: { isLive: true, reason: 'slow' }, ...catchUpIn(5000) },
  },
  {
    title: 'a page without its feed that cannot fetch the rest polls on',
    given: { ...lossy, feedReason: 'no table' },
    event: { type: 'fetchFailed', purpose: 'rest', reason: 'slow' },
    changes: { historyReason: 'slow' },
    effects: { ...report('no table'), ...catchUpIn(5000) },
  },
  {
    title: 'inserts do not put that off',
    given: { ...lossy, ...live, newestId: 9, historyReason: 'slow' },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10 },
    effects: {},
  },
  {
    title: 'the reason stands while the rest is fetched again',
    given: { ...fetchedOn(lossy), historyReason: 'slow' },
    event: fetched([9], 'catch-up', { lacksHistory: true }),
    effects: { report: { isLive: true, reason: 'slow' }, fetch: 'rest' },
  },
  {
    title: 'a page that has its whole history says no more about it',
    given: { ...fetchedOn(lossy), historyReason: 'slow' },
    event: fetched([8, 9], 'rest'),
    changes: { isCaughtUp: true, historyReason: undefined },
    effects: { ...reportLive, ...checkLater },
  },
];

const gaps: Transition[] = [
  {
    title: 'a gap that appeared during the fetch is fetched after 1 s',
    given: { ...fetchedOn(lossy), missing: [8], looks: 0 },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...lookIn(1000) },
  },
  {
    title: 'an early look leaves the feed alone',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 3 },
    event: { type: 'timerFired', purpose: 'look' },
    changes: { ...fetching, looks: 4 },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a late look is a check too',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 4 },
    event: { type: 'timerFired', purpose: 'look' },
    changes: { ...fetching, looks: 5 },
    effects: { fetch: 'check' },
  },
  {
    title: 'a gap between fetched ids is looked for too: its transaction may be open',
    given: fetchedOn(lossy),
    event: fetched([9, 12]),
    changes: { isCaughtUp: true, newestId: 12, missing: [10, 11], looks: 0 },
    effects: { ...reportLive, ...lookIn(1000) },
  },
  {
    title: 'ids may have gaps in a store that assigns them in commit order',
    given: fetchedOn(reliable),
    event: fetched([9, 12]),
    changes: { isCaughtUp: true, newestId: 12 },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a gap is looked for less and less often',
    given: { ...fetchedOn(lossy), missing: [8], looks: 3 },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...lookIn(8000) },
  },
  {
    title: 'a gap is looked for as often as a quiet feed is checked, at least',
    given: { ...fetchedOn(lossy), missing: [8], looks: 7 },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...lookIn(45_000) },
  },
  {
    title: 'a gap is given up after the longest transaction',
    given: { ...fetchedOn(lossy), missing: [8], looks: 8 },
    event: fetched([9]),
    changes: { isCaughtUp: true, missing: [] },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a fetch that closes the gap ends the search',
    given: { ...fetchedOn(lossy), missing: [8], looks: 2 },
    event: fetched([7, 8, 9]),
    changes: { isCaughtUp: true, missing: [] },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'ids that the page does not ask for are not looked for',
    given: { ...fetchedOn(lossy), missing: [4, 5, 8], looks: 0 },
    event: fetched([9], 'catch-up', { above: 5 }),
    changes: { isCaughtUp: true, missing: [8] },
    effects: { ...reportLive, ...lookIn(1000) },
  },
];

const checks: Transition[] = [
  {
    title: 'a check that finds nothing new leaves the feed alone',
    given: fetchedOn(lossy),
    event: fetched([8, 9], 'check'),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...checkLater },
  },
  {
    title: 'a check that finds an insert which came without values leaves the feed alone',
    given: { ...fetchedOn(lossy), isOutdated: true },
    event: fetched([9, 10], 'check'),
    changes: { isCaughtUp: true, newestId: 10 },
    effects: { ...reportLive, ...catchUpIn(1000) },
  },
  {
    title: 'a lossy feed that has delivered nothing yet is checked sooner',
    given: { ...fetchedOn(lossy), hasDelivered: false },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...checkSoon },
  },
  {
    title: 'a check that finds readings replaces a feed that should have delivered them',
    given: fetchedOn(reliable),
    event: fetched([10], 'check'),
    changes: { ...unconnected, newestId: 10, misses: 1 },
    effects: restart,
  },
  {
    title: 'a feed that was replaced is checked sooner',
    given: { ...fetchedOn(reliable), misses: 1 },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...reportLive, ...checkSoon },
  },
  {
    title: 'a lossy feed has 2 s to deliver what a check found',
    given: fetchedOn(lossy),
    event: fetched([9, 10], 'check'),
    changes: { isCaughtUp: true, newestId: 10, misses: 1 },
    effects: { schedule: { purpose: 'restart', ms: 2000 } },
  },
  {
    title: 'a lossy feed that did not deliver it is replaced',
    given: { ...lossy, ...live, newestId: 9, misses: 1 },
    event: { type: 'timerFired', purpose: 'restart' },
    changes: unconnected,
    effects: restart,
  },
  {
    title: 'a lossy feed that delivered in time stays',
    given: { ...lossy, ...live, newestId: 9, missing: [8], misses: 0 },
    event: { type: 'timerFired', purpose: 'restart' },
    changes: fetching,
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a feed that misses inserts again is silent: the page says why and polls',
    given: { ...fetchedOn(lossy), misses: 2 },
    event: fetched([9]),
    changes: { isCaughtUp: true },
    effects: { ...report('silent'), schedule: { purpose: 'check', ms: 5000 } },
  },
  {
    title: 'polls of a silent feed that find inserts are counted',
    given: { ...fetchedOn(lossy), misses: 10 },
    event: fetched([10], 'check'),
    changes: { isCaughtUp: true, newestId: 10, misses: 11 },
    effects: { ...report('silent'), schedule: { purpose: 'check', ms: 5000 } },
  },
  {
    title: 'a silent feed is replaced after every twelfth of them',
    given: { ...fetchedOn(lossy), misses: 11 },
    event: fetched([10], 'check'),
    changes: { ...unconnected, newestId: 10, misses: 12 },
    effects: restart,
  },
];

describe.each([
  ['the page', pages],
  ['the feed', feeds],
  ['inserts', inserts],
  ['fetches', fetches],
  ['the history', history],
  ['gaps', gaps],
  ['checks', checks],
])('%s', (_, transitions) => {
  test.each(transitions)('$title', ({ given, event, changes, effects }) => {
    expect(step(Object.freeze(given), event)).toEqual({ state: { ...given, ...changes }, effects });
  });
});
