import { act, renderHook } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveFeed } from '../../../app/live/browser/create-live-feed';
import type { FeedListener, FeedSettings } from '../../../app/live/browser/live-feed';
import { leavePage, startPage } from '../../../app/live/browser/page-state';
import { useReadings } from '../../../app/live/browser/use-readings';
import type { InitialReadings } from '../../../app/live/initial-readings';
import { HISTORY_LIMIT } from '../../../app/readings/chart/range';
import { freshnessOf } from '../../../app/readings/now/stale';
import { type Reading, type SensorSummary, UNNAMED } from '../../../app/readings/reading';
import { FIRST_THREE, reading, readings } from '../../support/readings/readings';

vi.mock('../../../app/live/browser/create-live-feed');

const SETTINGS: FeedSettings = { kind: 'event-source' };
const EMPTY: InitialReadings = { ...FIRST_THREE, readings: [], count: 0, startsEmpty: true };

const unsubscribe = vi.fn();
let listeners: FeedListener[];
/** The fetched addresses, and the answer to the next request. */
let fetched: string[];
let answer: () => Promise<Response>;
/** The answer to `/api/sensors`. */
let listed: SensorSummary[];

const answerWith = (stored: Reading[]) => {
  answer = async () => Response.json(stored, { headers: { Date: new Date(9000).toUTCString() } });
};

beforeEach(() => {
  vi.useFakeTimers();
  unsubscribe.mockClear();
  // Replace the previous test's page, which the next one would continue, by one that never read the store.
  leavePage(startPage({ ...FIRST_THREE, newestId: null }, HISTORY_LIMIT, 0));
  [listeners, fetched] = [[], []];
  answerWith([]);
  listed = [];
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url);
    return url.startsWith('/api/sensors?') ? Response.json(listed) : answer();
  });
  vi.mocked(createLiveFeed).mockImplementation(async () => ({
    lookback: 0,
    firstPart: Number.POSITIVE_INFINITY,
    deliversEveryInsert: true,
    subscribe(listener) {
      listeners.push(listener);
      return unsubscribe;
    },
  }));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Renders the hook and lets it subscribe. */
async function open(initial = FIRST_THREE, capacity?: number) {
  const hook = renderHook(({ settings }) => useReadings(initial, settings, capacity), {
    initialProps: { settings: SETTINGS },
  });
  await act(async () => {});
  return hook;
}

const feed = () => listeners.at(-1) as FeedListener;
const connect = () => act(async () => feed().onConnected());
const insert = (...ids: number[]) =>
  act(async () => {
    for (const id of ids) feed().onInsert(reading(id));
    await vi.advanceTimersByTimeAsync(50);
  });
const idsOf = (history: readonly Reading[]) => history.map(({ id }) => id);

test('the server renders the initial readings, with the newest as the current one', () => {
  let rendered: ReturnType<typeof useReadings> | undefined;
  renderToString(<Probe show={(result) => (rendered = result)} />);
  expect(rendered).toEqual({
    sensor: UNNAMED,
    sensors: FIRST_THREE.sensors,
    history: FIRST_THREE.readings,
    hasLoaded: true,
    count: 3,
    last: reading(3),
    previous: reading(2),
    connection: { state: 'connecting' },
    clock: { serverTime: 1000, viewerTime: expect.any(Number) },
  });
});

function Probe({ show }: { show: (result: ReturnType<typeof useReadings>) => void }) {
  show(useReadings(FIRST_THREE, SETTINGS));
  return null;
}

test('the newest stored reading counts as the first insert, and each insert updates the current and previous reading', async () => {
  const { result } = await open();
  await connect();
  expect(result.current).toMatchObject({ last: { id: 3 }, previous: { id: 2 } });
  await insert(4);
  expect(result.current).toMatchObject({ last: { id: 4 }, previous: { id: 3 } });
  await insert(5, 6);
  expect(result.current).toMatchObject({ last: { id: 6 }, previous: { id: 5 }, count: 6 });
  expect(idsOf(result.current.history)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a page doubts its connection while it checks it, before it blames the sensor', async () => {
  const { result } = await open();
  await connect();
  await insert(4);
  // Beyond the fetch that checks the clock.
  answerWith([reading(4)]);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(result.current.connection).toEqual({ state: 'live', reason: undefined });
  let respond = (_: Response) => {};
  answer = () =>
    new Promise((resolve) => {
      respond = resolve;
    });
  await act(() => vi.advanceTimersByTimeAsync(44_000));
  const { history, last, connection } = result.current;
  expect(connection).toMatchObject({ state: 'live', isChecking: true });
  const known = { last, readings: history, isDisconnected: false };
  const lastAt = Date.parse(last?.created_at ?? '');
  expect(freshnessOf({ ...known, isChecking: true }, lastAt + 45_000)).toBe('live');
  expect(freshnessOf({ ...known, isChecking: true }, lastAt + 46_000)).toBe('checking');
  expect(freshnessOf(known, lastAt + 46_000)).toBe('stale');
  await act(async () => respond(Response.json([reading(4)])));
  expect(result.current.connection).toEqual({ state: 'live', reason: undefined });
});

test('the very first reading has no previous one', async () => {
  const { result } = await open({ ...FIRST_THREE, readings: [], count: 0, newestId: 0 });
  await insert(1);
  expect(result.current).toMatchObject({ last: { id: 1 }, previous: null });
});

test('is live once it has caught up, with the clock of the server', async () => {
  const { result } = await open();
  expect(result.current.connection).toEqual({ state: 'connecting' });
  answerWith([reading(4), reading(5)]);
  await connect();
  expect(fetched).toEqual(['/api/data?limit=5760&after=3']);
  expect(result.current).toMatchObject({ last: { id: 5 }, connection: { state: 'live' } });
  expect(result.current.clock).toEqual({ serverTime: 9000, viewerTime: performance.now() });
});

test.each([
  ['back', '2099-01-01T00:00:00.000Z'],
  ['forward', '2000-01-01T00:00:00.000Z'],
])(
  'an insert shows that the clock of the server was set %s, and the page fetches its time',
  async (_, before) => {
    const old = reading(1, { created_at: before });
    const { result } = await open({
      ...FIRST_THREE,
      readings: [old],
      count: 1,
      newestId: 1,
      serverTime: Date.parse(before),
    });
    await connect();
    const now = Date.parse(reading(2).created_at);
    answer = async () => Response.json([], { headers: { Date: new Date(now).toUTCString() } });
    await insert(2);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(result.current).toMatchObject({ last: { id: 2 }, previous: { id: 1 } });
    expect(result.current.clock.serverTime).toBe(now);
  },
);

test('fetches the rest of the history once', async () => {
  const { result } = await open({
    ...FIRST_THREE,
    readings: readings(300).slice(-40),
    count: 300,
    newestId: 300,
  });
  expect([result.current.history.length, result.current.count]).toEqual([40, 300]);
  answerWith(readings(300));
  await connect();
  answerWith([]);
  await connect();
  expect(fetched).toEqual(['/api/data?limit=5760', '/api/data?limit=5760&after=300']);
  expect(result.current).toMatchObject({ history: { length: 300 }, count: 300 });
});

test('says why and since when it is disconnected', async () => {
  const { result } = await open();
  await connect();
  const since = Date.now();
  answer = async () => Response.json({ detail: 'The disk is full.' }, { status: 503 });
  await act(async () => feed().onDisconnected());
  expect(result.current.connection).toEqual({ state: 'disconnected', since, reason: undefined });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current.connection).toEqual({ state: 'disconnected', since, reason: 'The disk is full.' });
  expect(idsOf(result.current.history)).toEqual([1, 2, 3]);
});

test('says that a feed cannot be loaded', async () => {
  vi.mocked(createLiveFeed).mockRejectedValue(new Error('no script'));
  const { result } = await open();
  expect(result.current.connection).toMatchObject({
    state: 'disconnected',
    reason: "The live feed can't be loaded. Reload this page.",
  });
});

test('a page that starts empty shows only readings stored after it was rendered', async () => {
  const { result } = await open(EMPTY);
  await connect();
  expect(fetched).toEqual(['/api/data?limit=5760&after=3']);
  expect(result.current).toMatchObject({ history: [], hasLoaded: true, last: null });
  await insert(4);
  expect(idsOf(result.current.history)).toEqual([4]);
});

test('a page that starts empty without a first id begins at the newest stored reading', async () => {
  const { result } = await open({ ...EMPTY, newestId: null });
  expect(result.current.hasLoaded).toBe(false);
  answerWith([reading(50)]);
  await connect();
  answerWith([]);
  await connect();
  expect(fetched).toEqual([
    '/api/sensors?newest=100',
    '/api/data?limit=1&after=0',
    '/api/data?limit=5760&after=50',
  ]);
  expect(result.current).toMatchObject({ history: [], hasLoaded: true });
});

test('keeps the newest readings up to its capacity', async () => {
  const { result } = await open(FIRST_THREE, 3);
  await insert(4, 5);
  expect(idsOf(result.current.history)).toEqual([3, 4, 5]);
  expect(result.current.count).toBe(3);
});

test('other settings replace the feed and keep the readings', async () => {
  const { result, rerender } = await open();
  await insert(4);
  rerender({ settings: { kind: 'supabase', url: 'http://project', key: 'key' } });
  await act(async () => {});
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(vi.mocked(createLiveFeed)).toHaveBeenLastCalledWith(expect.objectContaining({ kind: 'supabase' }));
  await insert(5);
  expect(idsOf(result.current.history)).toEqual([1, 2, 3, 4, 5]);
});

test('an unmounted page unsubscribes and leaves no timer', async () => {
  const { unmount } = await open();
  unmount();
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test('a reopened page shows its values at once and catches up', async () => {
  const { unmount } = await open();
  await connect();
  await insert(4, 5);
  unmount();
  answerWith([reading(6)]);
  const { result } = await open({
    ...FIRST_THREE,
    readings: [reading(4), reading(5)],
    count: 5,
    newestId: 5,
  });
  expect(result.current).toMatchObject({
    last: { id: 5 },
    previous: { id: 4 },
    connection: { state: 'connecting' },
  });
  await connect();
  expect(fetched.at(-1)).toBe('/api/data?limit=5760&after=5');
  expect(idsOf(result.current.history)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(result.current).toMatchObject({ last: { id: 6 }, connection: { state: 'live' } });
});

test('a page that unmounts before its feed is loaded never subscribes', async () => {
  const { unmount } = renderHook(() => useReadings(FIRST_THREE, SETTINGS));
  unmount();
  await act(async () => {});
  expect(listeners).toHaveLength(0);
});

test('returns the same object on a render that changes nothing', async () => {
  const { result, rerender } = await open();
  const before = result.current;
  rerender({ settings: SETTINGS });
  expect(result.current).toBe(before);
});
