import { act, renderHook } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLiveFeed } from '../../../app/live/browser/create-live-feed';
import type { FeedListener, FeedSettings, LiveFeed } from '../../../app/live/browser/live-feed';
import { leavePage, startPage } from '../../../app/live/browser/page-state';
import { rememberSensor, useReadings } from '../../../app/live/browser/use-readings';
import type { InitialReadings } from '../../../app/live/initial-readings';
import { compareReadings, type Reading, sensorOf } from '../../../app/readings/reading';
import { SimulatedTable } from '../../support/live/simulated-table';

vi.mock('../../../app/live/browser/create-live-feed');

const SETTINGS: FeedSettings = { kind: 'event-source' };
const SENSORS = ['', 'Bedroom', 'Kitchen'];
const CONNECT_MS = 500;
const EVENT_MS = 270;
/** After this time without an insert, a page has searched for everything that a feed may have lost. */
const QUIET_MS = 150_000;

const FEEDS: Record<string, Pick<LiveFeed, 'lookback' | 'firstPart' | 'deliversEveryInsert'>> = {
  embedded: { lookback: 1, firstPart: Number.POSITIVE_INFINITY, deliversEveryInsert: true },
  hosted: { lookback: 300, firstPart: 30, deliversEveryInsert: false },
};

/** An action, `afterMs` after the previous one. */
type Happening = { afterMs: number } & (
  | { type: 'insert'; sensor: string; lateMs: number; event: 'full' | 'empty' | 'lost' }
  | { type: 'drop'; forMs: number }
  | { type: 'switch'; sensor: string }
);

let table: SimulatedTable;
let listeners: Set<FeedListener>;
let fetched: string[];
let fetchMs: number;
/** The number of subscriptions by pages. */
let subscriptions: number;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Replaces the pages of earlier runs by pages that never read the store, so that no page continues an earlier one. */
function forgetLeftPages(): void {
  const unread = { ...new SimulatedTable().initial('', 1), newestId: null };
  for (let capacity = 1; capacity <= 20; capacity++) leavePage(startPage(unread, capacity, 0));
}

beforeEach(() => {
  vi.useFakeTimers();
  forgetLeftPages();
  [table, listeners, fetched, fetchMs, subscriptions] = [new SimulatedTable(), new Set(), [], 20, 0];
  vi.stubGlobal('fetch', async (address: string) => {
    fetched.push(address);
    await wait(fetchMs / 2);
    const answer = table.answer(address);
    await wait(fetchMs / 2);
    return Response.json(answer, { headers: { Date: new Date().toUTCString() } });
  });
});

afterEach(() => vi.unstubAllGlobals());

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Opens a page on a feed of this kind. */
async function open(kind: string, initial: InitialReadings, capacity: number) {
  vi.mocked(createLiveFeed).mockImplementation(async () => ({
    ...(FEEDS[kind] as LiveFeed),
    subscribe(listener) {
      subscriptions++;
      const timer = setTimeout(() => connect(listener), CONNECT_MS);
      return () => {
        clearTimeout(timer);
        listeners.delete(listener);
      };
    },
  }));
  const hook = renderHook((given) => useReadings(given, SETTINGS, capacity), { initialProps: initial });
  await act(async () => {});
  return hook;
}

function connect(listener: FeedListener): void {
  listeners.add(listener);
  listener.onConnected();
}

function drop(forMs: number): void {
  for (const listener of listeners) {
    listeners.delete(listener);
    listener.onDisconnected('dropped');
    // A page that has subscribed again has another listener.
    setTimeout(() => connect(listener), forMs);
  }
}

function announce(reading: Reading | null): void {
  for (const listener of listeners) {
    setTimeout(() => listeners.has(listener) && listener.onInsert(reading), EVENT_MS);
  }
}

/** Returns the differences between the page and the table. */
function expectTruth(shown: ReturnType<typeof useReadings>, sensor: string, capacity: number): void {
  const stored = table.newest(capacity, { sensor });
  expect(shown.sensor).toBe(sensor);
  expect(shown.history).toEqual(stored);
  expect(shown.count).toBe(stored.length);
  expect(shown.last).toEqual(stored.at(-1) ?? null);
  expect(shown.sensors).toEqual(table.sensors());
}

const happenings = (events: ('full' | 'empty' | 'lost')[]) => {
  const afterMs = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 20_000 }));
  const sensor = fc.constantFrom(...SENSORS);
  const lateMs = fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 7_200_000 }));
  const event = fc.constantFrom(...events);
  return fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.record({ type: fc.constant('insert'), afterMs, sensor, lateMs, event }) },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('drop'),
          afterMs,
          forMs: fc.integer({ max: 9000, min: 0 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant('switch'), afterMs, sensor }) },
    ),
    { minLength: 1, maxLength: 40 },
  ) as fc.Arbitrary<Happening[]>;
};

interface Run {
  stored: { sensor: string; lateMs: number }[];
  list: Happening[];
  ms: number;
  capacity: number;
}

async function simulate(kind: string, { stored, list, ms, capacity }: Run): Promise<void> {
  [table, fetchMs] = [new SimulatedTable(), ms];
  forgetLeftPages();
  for (const { sensor, lateMs } of stored) table.insert(sensor, lateMs);
  let sensor = SENSORS[1] as string;
  const page = await open(kind, table.initial(sensor, capacity), capacity);
  let newest: Reading | null = null;
  for (const happening of list) {
    await advance(happening.afterMs);
    if (happening.type === 'drop') await act(async () => drop(happening.forMs));
    if (happening.type === 'insert') {
      const reading = table.insert(happening.sensor, happening.lateMs);
      if (happening.event !== 'lost') announce(happening.event === 'full' ? reading : null);
    }
    if (happening.type === 'switch') {
      sensor = happening.sensor;
      newest = null;
      const initial = table.initial(sensor, capacity);
      await advance(ms);
      page.rerender(initial);
      await act(async () => {});
    }
    const { history, last } = page.result.current;
    expect(history.map(sensorOf).filter((name) => name !== sensor)).toEqual([]);
    expect([...history].sort(compareReadings)).toEqual(history);
    if (newest && last) expect(compareReadings(last, newest)).toBeGreaterThanOrEqual(0);
    newest = last;
  }
  await advance(QUIET_MS);
  expectTruth(page.result.current, sensor, capacity);
  page.unmount();
}

const run = (events: ('full' | 'empty' | 'lost')[]) =>
  fc.record({
    stored: fc.array(
      fc.record({ sensor: fc.constantFrom(...SENSORS), lateMs: fc.integer({ min: 0, max: 7_200_000 }) }),
      { maxLength: 120 },
    ),
    list: happenings(events),
    ms: fc.integer({ min: 2, max: 2000 }),
    capacity: fc.constantFrom(5, 60, 5760),
  });

/** Printed with the example if a run fails. */
const SEED = 20_261_122;

describe('whichever sensors post, late or not, a page ends up with the stored readings', () => {
  test.each([
    ['embedded', ['full']],
    ['hosted', ['full', 'empty', 'lost']],
  ] as const)('on the %s feed', async (kind, events) => {
    await fc.assert(
      fc.asyncProperty(run([...events]), (given) => simulate(kind, given)),
      { numRuns: 40, seed: SEED },
    );
  });
});

/** Stores a reading and announces it. */
const insert = (sensor: string, lateMs = 0) => announce(table.insert(sensor, lateMs));

/** A live page of the bedroom, with three readings stored before. */
async function openLive() {
  for (const sensor of ['', 'Bedroom', 'Kitchen']) table.insert(sensor, 60_000);
  const page = await open('embedded', table.initial('Bedroom', 5760), 5760);
  await advance(1000);
  return page;
}

const idOf = (reading: Reading | null) => reading?.id ?? null;

test('an insert of another sensor changes nothing for the shown sensor', async () => {
  const { result } = await openLive();
  const { history } = result.current;
  insert('Kitchen');
  await advance(1000);
  expect(result.current).toMatchObject({ last: { id: 2 }, count: 1 });
  expect(result.current.history).toBe(history);
  expect(result.current.sensors[0]).toMatchObject({ name: 'Kitchen', newest: { id: 4 } });
  insert('Bedroom');
  await advance(1000);
  expect(result.current).toMatchObject({ last: { id: 5 }, previous: { id: 2 } });
});

test('a late reading is inserted at its time, and never becomes current', async () => {
  const { result } = await openLive();
  insert('Bedroom');
  insert('Bedroom', 90_000);
  insert('Kitchen', 90_000);
  await advance(1000);
  expect(result.current.history.map(({ id }) => id)).toEqual([5, 2, 4]);
  expect([result.current.last, result.current.previous].map(idOf)).toEqual([4, 2]);
  expect(result.current.sensors.map(({ name, newest }) => [name, newest.id])).toEqual([
    ['Bedroom', 4],
    ['Kitchen', 3],
    ['', 1],
  ]);
});

test('late readings make the page request the time once, not once each', async () => {
  await openLive();
  fetched = [];
  for (let i = 0; i < 20; i++) {
    insert('Bedroom', 3_600_000 - i);
    await advance(1000);
  }
  expect(fetched).toEqual(['/api/data?limit=5760&after=3']);
});

test('another sensor is shown at once, on the same subscription, and fetched', async () => {
  const { result, rerender } = await openLive();
  insert('Bedroom');
  await advance(1000);
  const { connection } = result.current;
  const initial = table.initial('Kitchen', 5760);
  insert('Kitchen');
  fetched = [];
  rerender(initial);
  expect(result.current).toMatchObject({ sensor: 'Kitchen', last: { id: 3 }, connection });
  await advance(1000);
  expect(fetched).toEqual(['/api/data?limit=5760&after=3']);
  expect(result.current).toMatchObject({ last: { id: 5 }, previous: { id: 3 } });
  expect(subscriptions).toBe(1);
  rerender(table.initial('Bedroom', 5760));
  expect(result.current).toMatchObject({ sensor: 'Bedroom', last: { id: 4 } });
});

/** Stores a long history of the bedroom, and one reading of another sensor. */
function storeLong(): void {
  for (let i = 0; i < 100; i++) table.insert('Bedroom', 3_000_000 - i * 15_000);
  table.insert('Kitchen', 60_000);
}

test('the strip shows readings of other sensors from before the page connected', async () => {
  storeLong();
  const initial = table.initial('Bedroom', 5760);
  table.insert('Kitchen');
  const { result } = await open('embedded', initial, 5760);
  await advance(1000);
  expect(fetched).toEqual(['/api/sensors?newest=100&sensor=Bedroom', '/api/data?limit=5760&sensor=Bedroom']);
  expectTruth(result.current, 'Bedroom', 5760);
});

test('a late reading of another sensor from before the page opened is not missed by the feed', async () => {
  storeLong();
  table.insert('Kitchen', 90_000);
  await open('embedded', table.initial('Bedroom', 5760), 5760);
  await advance(1000);
  await advance(120_000);
  expect(fetched.at(-1)).toBe('/api/data?limit=5760&after=101');
  expect(subscriptions).toBe(1);
});

test('a page that missed more than fits into an answer reads its history and the list of sensors', async () => {
  const { result } = await openLive();
  fetched = [];
  for (let i = 0; i < 6000; i++) table.insert(i % 2 ? 'Kitchen' : 'Attic', i);
  for (let i = 0; i < 3; i++) table.insert('Bedroom', 30_000);
  window.dispatchEvent(new Event('online'));
  await advance(2000);
  expect(fetched.slice(0, 3)).toEqual([
    '/api/data?limit=5760&after=2',
    '/api/sensors?newest=100&sensor=Bedroom',
    '/api/data?limit=5760&sensor=Bedroom',
  ]);
  expectTruth(result.current, 'Bedroom', 5760);
});

test('a page without a sensor shows the first that posts, unless its address names one', async () => {
  const { result } = await open('embedded', { ...table.initial('', 10), isChosen: false }, 10);
  const chosen = await open('embedded', { ...table.initial('Attic', 10) }, 10);
  await advance(1000);
  insert('Kitchen');
  insert('Bedroom');
  await advance(1000);
  expect(result.current).toMatchObject({ sensor: 'Kitchen', last: { id: 1 }, count: 1 });
  expect(chosen.result.current).toMatchObject({ sensor: 'Attic', last: null });
  insert('Attic');
  await advance(1000);
  expect(chosen.result.current).toMatchObject({ sensor: 'Attic', last: { id: 3 } });
});

test('a page that moved to the first posting sensor returns to its original one when that is chosen', async () => {
  const { result, rerender } = await open('embedded', { ...table.initial('', 20), isChosen: false }, 20);
  await advance(1000);
  insert('Bedroom');
  await advance(1000);
  insert('');
  await advance(1000);
  expectTruth(result.current, 'Bedroom', 20);
  rerender(table.initial('', 20));
  await advance(1000);
  expectTruth(result.current, '', 20);
});

test('the shown sensor is remembered, chosen or not, once there are others', async () => {
  rememberSensor('nothing yet');
  table.insert('Bedroom');
  const { result, rerender } = await open(
    'embedded',
    { ...table.initial('Bedroom', 20), isChosen: false },
    20,
  );
  await advance(1000);
  expect(document.cookie).toBe('sensor=nothing%20yet');
  insert('Kitchen');
  await advance(1000);
  expect(result.current.sensors.map(({ name }) => name)).toEqual(['Kitchen', 'Bedroom']);
  expect(document.cookie).toBe('sensor=Bedroom');
  rerender(table.initial('Attic', 20));
  expect(document.cookie).toBe('sensor=Bedroom');
  rerender(table.initial('Kitchen', 20));
  expect(document.cookie).toBe('sensor=Kitchen');
});

test('a page whose server could not read the store finds its sensor, or the first one by name', async () => {
  for (const sensor of ['', 'Bedroom', 'Kitchen']) table.insert(sensor, 60_000);
  const unknown = { ...new SimulatedTable().initial('', 10), newestId: null, isChosen: false };
  const remembered = await open('embedded', { ...unknown, sensor: 'Bedroom' }, 10);
  const forgotten = await open('embedded', { ...unknown, sensor: 'Attic' }, 10);
  await advance(2000);
  expectTruth(remembered.result.current, 'Bedroom', 10);
  expectTruth(forgotten.result.current, 'Bedroom', 10);
});

test('with one unnamed sensor, a page sends the same requests as without names', async () => {
  for (let i = 0; i < 50; i++) table.insert('', 60_000 - i);
  await open('hosted', table.initial('', 5760), 5760);
  await advance(1000);
  insert('');
  await advance(60_000);
  expect(fetched).toEqual(['/api/data?limit=30', '/api/data?limit=5760', '/api/data?limit=5760&after=0']);
});

test('ten thousand simultaneous inserts, in any order of time, leave a complete history', async () => {
  for (let i = 0; i < 5760; i++) table.insert('Bedroom', 100_000_000 - i * 15_000);
  const page = await open('embedded', table.initial('Bedroom', 5760), 5760);
  await advance(1000);
  await act(async () => {
    for (let i = 0; i < 10_000; i++) {
      const reading = table.insert(i % 2 ? 'Bedroom' : 'Kitchen', 80_000_000 - ((i * 7919) % 10_007) * 999);
      for (const listener of listeners) listener.onInsert(reading);
    }
  });
  await advance(1000);
  expectTruth(page.result.current, 'Bedroom', 5760);
});
