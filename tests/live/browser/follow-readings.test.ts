// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Follower, followReadings } from '../../../app/live/browser/follow-readings';
import type { FeedListener, LiveFeed } from '../../../app/live/browser/live-feed';
import type { MissingReadings, Outcome } from '../../../app/live/browser/page-state';
import type { Reading } from '../../../app/readings/reading';
import { reading } from '../../support/readings/readings';

/** Requests for `/api/data`, each answered by a test. */
let requests: {
  url: string;
  signal: AbortSignal;
  answer(readings: Reading[], status?: number): Promise<void>;
}[];
let listeners: FeedListener[];
/** The calls to the page. */
let calls: unknown[][];
let visibility: DocumentVisibilityState;
/** The page's readings after the next fetches. */
let outcome: Outcome;
let follower: Follower;
let fitsClock: boolean;
const unsubscribe = vi.fn();

const feed: LiveFeed = {
  lookback: 300,
  firstPart: 1000,
  deliversEveryInsert: true,
  subscribe(listener) {
    listeners.push(listener);
    return unsubscribe;
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  unsubscribe.mockClear();
  outcome = 'complete';
  fitsClock = true;
  [requests, listeners, calls, visibility] = [[], [], [], 'visible'];
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    const { promise, resolve } = deferred<Response>();
    const answer = async (readings: Reading[], status = 200) => {
      resolve(Response.json(readings, { status }));
      await vi.advanceTimersByTimeAsync(0);
    };
    requests.push({ url, signal, answer });
    return promise;
  });
  follower = followReadings(feed, {
    missing: (purpose): MissingReadings =>
      purpose === 'rest'
        ? { limit: 5760, isFullHistory: true }
        : { limit: 10, after: 700, isFullHistory: false },
    newestId: () => 0,
    fitsClock: () => fitsClock,
    onInsert: ({ id }) => calls.push(['insert', id]),
    onFetched({ readings }, { isFullHistory }) {
      calls.push(['fetched', readings.map(({ id }) => id), isFullHistory]);
      return outcome;
    },
    onReport: ({ isLive, reason }) => calls.push(['report', isLive, reason]),
    onCheck: () => calls.push(['check']),
  });
});

afterEach(() => {
  follower.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

test('subscribes, fetches missing readings once connected, and passes inserts on', async () => {
  expect(listeners).toHaveLength(1);
  listeners[0]?.onConnected();
  expect(requests.map(({ url }) => url)).toEqual(['/api/data?limit=10&after=700']);
  await requests[0]?.answer([reading(1)]);
  listeners[0]?.onInsert(reading(2));
  listeners[0]?.onInsert(null);
  expect(calls).toEqual([
    ['fetched', [1], false],
    ['report', true, undefined],
    ['insert', 2],
  ]);
});

test('fetches when the timer fires, and only the last timer counts', async () => {
  listeners[0]?.onDisconnected('no table');
  expect(calls).toEqual([['report', false, 'no table']]);
  await vi.advanceTimersByTimeAsync(999);
  expect(requests).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(4000);
  expect(requests).toHaveLength(1);
});

test('fetches the rest of the history, says why it is missing, and fetches it again', async () => {
  outcome = 'incomplete';
  listeners[0]?.onConnected();
  await requests[0]?.answer([reading(1)]);
  await requests[1]?.answer([], 503);
  await vi.advanceTimersByTimeAsync(5000);
  await requests[2]?.answer([reading(1)]);
  outcome = 'complete';
  await requests[3]?.answer([reading(1)]);
  expect(requests.map(({ url }) => url.split('limit=')[1])).toEqual([
    '10&after=700',
    '5760',
    '10&after=700',
    '5760',
  ]);
  const reason = 'The server answered with status 503.';
  expect(calls.filter(([call]) => call === 'report')).toEqual([
    ['report', true, undefined],
    ['report', true, reason],
    ['report', true, reason],
    ['report', true, undefined],
  ]);
});

test('fetches everything if the table was emptied', async () => {
  outcome = 'emptied';
  listeners[0]?.onConnected();
  await requests[0]?.answer([]);
  expect(requests).toHaveLength(2);
});

test('aborts a fetch that a newer one replaces, and ignores its answer', async () => {
  listeners[0]?.onConnected();
  listeners[0]?.onConnected();
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await requests[0]?.answer([reading(1)]);
  expect(calls).toEqual([]);
  await requests[1]?.answer([reading(2)]);
  expect(calls.map(([call]) => call)).toEqual(['fetched', 'report']);
});

test('replaces a feed that was silent while a reading was stored', async () => {
  listeners[0]?.onConnected();
  await requests[0]?.answer([]);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(calls.at(-1)).toEqual(['check']);
  await requests[1]?.answer([reading(7)]);
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(listeners).toHaveLength(2);
});

test('closes the connection while hidden, and subscribes and fetches when shown', () => {
  visibility = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect([listeners.length, requests.length]).toEqual([1, 0]);
  visibility = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  expect([listeners.length, requests.length]).toEqual([2, 1]);
});

test('unsubscribes once from each subscription', () => {
  visibility = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('pagehide'));
  follower.stop();
  expect(unsubscribe).toHaveBeenCalledOnce();
});

test.each(['online', 'offline'])('subscribes again on the event %s', (type) => {
  window.dispatchEvent(new Event(type));
  expect([unsubscribe.mock.calls.length, listeners.length]).toEqual([1, 2]);
});

test('stops on pagehide and subscribes again if the page returns from the cache', () => {
  window.dispatchEvent(new Event('pagehide'));
  expect(unsubscribe).toHaveBeenCalledOnce();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(listeners).toHaveLength(1);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(listeners).toHaveLength(2);
});

test('subscribes again after the machine slept, which only the clock shows', async () => {
  await vi.advanceTimersByTimeAsync(1500);
  expect(listeners).toHaveLength(1);
  vi.setSystemTime(Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(listeners).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(listeners).toHaveLength(2);
});

test('leaves nothing behind when stopped', async () => {
  listeners[0]?.onConnected();
  follower.stop();
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(requests[0]?.signal.aborted).toBe(true);
  await requests[0]?.answer([reading(1)]);
  window.dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(vi.getTimerCount()).toBe(0);
  expect([listeners.length, requests.length, calls.length]).toEqual([1, 1, 0]);
});

test('readings of one sensor do not end the search for ids that others may have', async () => {
  follower.stop();
  [listeners, requests] = [[], []];
  const lossy = { ...feed, deliversEveryInsert: false };
  follower = followReadings(lossy, {
    missing: () => ({ limit: 10, sensor: 'Bedroom', isFullHistory: true }),
    newestId: () => 0,
    fitsClock: () => true,
    onInsert: () => {},
    onFetched: () => outcome,
    onReport: () => {},
    onCheck: () => {},
  });
  listeners[0]?.onConnected();
  expect(requests[0]?.url).toBe('/api/data?limit=10&sensor=Bedroom');
  await requests[0]?.answer([reading(1)]);
  listeners[0]?.onInsert(reading(3));
  await vi.advanceTimersByTimeAsync(1000);
  await requests[1]?.answer([reading(1)]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(requests).toHaveLength(3);
});

test('fetches at once for another sensor, on the same subscription', () => {
  follower.switched();
  expect([requests.length, listeners.length, unsubscribe.mock.calls.length]).toEqual([1, 1, 0]);
});

test('gets the list of sensors before the readings', async () => {
  follower.stop();
  [listeners, requests] = [[], []];
  const onFetched = vi.fn(() => outcome);
  follower = followReadings(feed, {
    missing: () => ({ limit: 10, withSensors: true, isFullHistory: true }),
    newestId: () => 0,
    fitsClock: () => true,
    onInsert: () => {},
    onFetched,
    onReport: () => {},
    onCheck: () => {},
  });
  listeners[0]?.onConnected();
  expect(requests.map(({ url }) => url)).toEqual(['/api/sensors?newest=100']);
  await requests[0]?.answer([]);
  expect(requests.map(({ url }) => url)).toEqual(['/api/sensors?newest=100', '/api/data?limit=10']);
  await requests[1]?.answer([reading(1)]);
  expect(onFetched).toHaveBeenCalledWith(
    expect.objectContaining({ sensors: [], readings: [reading(1)] }),
    expect.anything(),
  );
});
