import {
  catchUpIn,
  checkLater,
  fetched,
  fetchedOn,
  fetching,
  live,
  lookIn,
  lossy,
  reliable,
  report,
  reportLive,
  restart,
  type Transition,
  testTransitions,
  unconnected,
} from '../../support/live/follow-transitions';

const pages: Transition[] = [
  {
    title: 'a new page subscribes, and fetches after 2 s if the feed has not connected by then',
    given: reliable,
    event: { type: 'opened' },
    effects: { subscribe: true, ...catchUpIn(2000) },
  },
  {
    title:
      'a page that shows another sensor fetches at once and stays connected, and drops the previous error',
    given: { ...lossy, ...live, missing: [6], looks: 1, newestId: 7, historyReason: 'no history' },
    event: { type: 'switched' },
    changes: { ...fetching, historyReason: undefined },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'an interrupted page subscribes again, since its connection may be dead, and fetches at once',
    given: { ...lossy, ...live, missing: [6], looks: 1, newestId: 7 },
    event: { type: 'interrupted', isOnline: true },
    changes: unconnected,
    effects: restart,
  },
  {
    title: 'an offline page subscribes again and does not fetch at once',
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
    title: 'a connected feed makes the page catch up',
    given: { ...reliable, feedReason: 'no table' },
    event: { type: 'connected' },
    changes: { ...fetching, isConnected: true, feedReason: undefined },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a reconnected feed makes the page catch up again',
    given: { ...lossy, ...live },
    event: { type: 'connected' },
    changes: fetching,
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a disconnected feed is reported, and the page fetches after 1 s',
    given: { ...reliable, ...live },
    event: { type: 'disconnected', reason: 'no table' },
    changes: { ...unconnected, feedReason: 'no table' },
    effects: { ...report('no table'), ...catchUpIn(1000) },
  },
];

const inserts: Transition[] = [
  {
    title: 'an insert delays the check of a quiet feed',
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
    title: 'a late insert on a lossy feed causes a search, since the ids may have restarted',
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
    title: 'further inserts do not delay that fetch',
    given: { ...lossy, ...live, newestId: 7, isOutdated: true },
    event: { type: 'inserted', id: 8 },
    changes: { newestId: 8 },
    effects: {},
  },
  {
    title: 'further inserts do not delay the fetch of a gap',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 4 },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10 },
    effects: {},
  },
  {
    title: 'another gap brings the next search forward',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 4 },
    event: { type: 'inserted', id: 11 },
    changes: { newestId: 11, missing: [8, 10], looks: 0 },
    effects: lookIn(1000),
  },
  {
    title: 'another gap does not delay the first search',
    given: { ...lossy, ...live, newestId: 9, missing: [8], looks: 0 },
    event: { type: 'inserted', id: 11 },
    changes: { newestId: 11, missing: [8, 10] },
    effects: {},
  },
  {
    title: 'an insert shows that a suspected feed works',
    given: { ...lossy, ...live, newestId: 9, misses: 1 },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10, misses: 0 },
    effects: checkLater,
  },
  {
    title: 'an insert of a silent feed makes the page catch up and then live',
    given: { ...lossy, ...live, newestId: 9, misses: 2 },
    event: { type: 'inserted', id: 10 },
    changes: { ...fetching, newestId: 10, misses: 0 },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'an insert during a fetch does not change the timer',
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

const fetches: Transition[] = [
  {
    title: 'the timer starts a fetch for its purpose',
    given: { ...reliable, ...live },
    event: { type: 'timerFired', purpose: 'check' },
    changes: fetching,
    effects: { fetch: 'check' },
  },
  {
    title: 'a fetch that starts after an insert without values returns it',
    given: { ...reliable, ...live, isOutdated: true },
    event: { type: 'timerFired', purpose: 'catch-up' },
    changes: { ...fetching, isOutdated: false },
    effects: { fetch: 'catch-up' },
  },
  {
    title: 'a fetch may have started before an insert without values, so another follows after 1 s',
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
    title: "a page without its feed repeats the feed's reason, since the server's no longer applies",
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
    title: 'a page without its feed that cannot fetch the rest continues to poll',
    given: { ...lossy, feedReason: 'no table' },
    event: { type: 'fetchFailed', purpose: 'rest', reason: 'slow' },
    changes: { historyReason: 'slow' },
    effects: { ...report('no table'), ...catchUpIn(5000) },
  },
  {
    title: 'inserts do not delay the next fetch of the rest',
    given: { ...lossy, ...live, newestId: 9, historyReason: 'slow' },
    event: { type: 'inserted', id: 10 },
    changes: { newestId: 10 },
    effects: {},
  },
  {
    title: 'the reason stays while the rest is fetched again',
    given: { ...fetchedOn(lossy), historyReason: 'slow' },
    event: fetched([9], 'catch-up', { lacksHistory: true }),
    effects: { report: { isLive: true, reason: 'slow' }, fetch: 'rest' },
  },
  {
    title: 'a page with its whole history drops the reason',
    given: { ...fetchedOn(lossy), historyReason: 'slow' },
    event: fetched([8, 9], 'rest'),
    changes: { isCaughtUp: true, historyReason: undefined },
    effects: { ...reportLive, ...checkLater },
  },
];

testTransitions('the page', pages);
testTransitions('the feed', feeds);
testTransitions('inserts', inserts);
testTransitions('fetches', fetches);
testTransitions('the history', history);
