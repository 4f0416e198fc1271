import { expect, test } from 'vitest';
import {
  addFetched,
  addInsert,
  missingReadings,
  type PageState,
  setConnection,
  startPage,
} from '../../../app/live/browser/page-state';
import type { InitialReadings } from '../../../app/live/initial-readings';
import type { Reading } from '../../../app/readings/reading';
import { reading, readings } from '../../support/readings';

/** The state of a page rendered with the first three readings. */
const pageWith = (initial: Partial<InitialReadings> = {}, capacity = 100) =>
  startPage({ readings: readings(3), count: 3, newestId: 3, serverTime: 1000, ...initial }, capacity, 7);

/** The page after a fetch that brought these readings. */
const fetched = (page: PageState, readings: Reading[], isFullHistory = false) =>
  addFetched(page, { readings }, { limit: 100, isFullHistory });

/** The page after inserts with these ids. */
const inserted = (page: PageState, ...insertedIds: number[]) =>
  insertedIds.reduce((state, id) => addInsert(state, reading(id)), page);

const ids = ({ history }: PageState) => history.readings.map(({ id }) => id);

test('is loading until the first insert', () => {
  expect(pageWith().isLoading).toBe(true);
  expect(inserted(pageWith(), 4).isLoading).toBe(false);
});

test('a fetched reading above the newest known id counts as an insert', () => {
  expect(fetched(pageWith(), [reading(4)]).isLoading).toBe(false);
  expect(fetched(pageWith(), [reading(2), reading(3)]).isLoading).toBe(true);
});

test.each([
  ['the rest of the history', pageWith({ readings: readings(3).slice(2) }), 3],
  ['the first history of a page without any', pageWith({ readings: [], count: 0, newestId: null }), 3],
])('fetching %s is no insert', (_, page, newestId) => {
  const next = fetched(page, readings(3), true);
  expect(ids(next)).toEqual([1, 2, 3]);
  expect(next).toMatchObject({ isLoading: true, history: { newestId } });
});

test('a late row below the newest known id is no insert and is not lost', () => {
  const page = pageWith({ readings: [reading(1), reading(3)], count: 2 });
  const next = fetched(page, [reading(2), reading(3)]);
  expect(ids(next)).toEqual([1, 2, 3]);
  expect(next.isLoading).toBe(true);
});

test('stays disconnected since the first failure, with the latest reason', () => {
  const first = setConnection(pageWith(), { isLive: false, reason: 'first' }, 10);
  const second = setConnection(first, { isLive: false, reason: 'second' }, 20);
  expect(second.connection).toEqual({ state: 'disconnected', since: 10, reason: 'second' });
  const live = setConnection(second, { isLive: true }, 30);
  expect(live.connection).toEqual({ state: 'live' });
  expect(setConnection(live, { isLive: false }, 40).connection).toMatchObject({ since: 40 });
});

test('takes the clock from each answer that has one', () => {
  const page = pageWith();
  expect(page.clock).toEqual({ serverTime: 1000, viewerTime: 7 });
  expect(fetched(page, []).clock).toEqual(page.clock);
  const clock = { serverTime: 9000, viewerTime: 50 };
  const missing = { limit: 100, isFullHistory: false };
  expect(addFetched(page, { readings: [], clock }, missing).clock).toEqual(clock);
});

test.each([
  ['a complete page, after its newest id', pageWith(), 0, { limit: 100, after: 3, isFullHistory: false }],
  [
    'a complete page, looking back',
    pageWith({ newestId: 500 }),
    300,
    { limit: 100, after: 200, isFullHistory: false },
  ],
  [
    'a complete page, from the start at most',
    pageWith(),
    300,
    { limit: 100, after: 0, isFullHistory: false, known: reading(3) },
  ],
  ['a page that lacks history', pageWith({ count: 80 }), 0, { limit: 100, isFullHistory: true }],
  [
    'a page whose server could not read the store',
    pageWith({ newestId: null }),
    0,
    { limit: 100, isFullHistory: true },
  ],
  [
    'a page that starts empty, after where it begins',
    pageWith({ readings: [], count: 0, newestId: 50, startsEmpty: true }),
    300,
    { limit: 100, after: 50, isFullHistory: false },
  ],
  [
    'a page that starts empty and does not know where',
    pageWith({ readings: [], count: 0, newestId: null, startsEmpty: true }),
    300,
    { limit: 1, isFullHistory: false },
  ],
])('asks for %s', (_, page, lookback, query) => {
  expect(missingReadings(page, lookback)).toEqual(query);
});

test('a page that starts empty begins at the newest reading if the server did not know it', () => {
  const unknown = pageWith({ readings: [], count: 0, newestId: null, startsEmpty: true });
  const page = fetched(unknown, [reading(50)]);
  expect(ids(page)).toEqual([]);
  expect(missingReadings(page, 300)).toEqual({ limit: 100, after: 50, isFullHistory: false });
  expect(fetched(page, [reading(51)]).isLoading).toBe(false);
  expect(missingReadings(fetched(unknown, []), 300).after).toBe(0);
});

test('an insert that overtakes the first fetch of a page that starts empty stays', () => {
  const unknown = pageWith({ readings: [], count: 0, newestId: null, startsEmpty: true });
  const page = fetched(inserted(unknown, 51), [reading(50)]);
  expect(ids(page)).toEqual([51]);
  expect(missingReadings(page, 0).after).toBe(51);
});

test('keeps the newest readings up to its capacity', () => {
  const page = inserted(pageWith({}, 3), 4, 5);
  expect(ids(page)).toEqual([3, 4, 5]);
  expect(page.history.count).toBe(3);
});

/** The page after it fetched what it lacks from a table with these readings. */
const caughtUp = (page: PageState, table: Reading[]) =>
  addFetched(page, { readings: table }, missingReadings(page, 300));

test.each([
  ['was emptied', []],
  ['was emptied and began its ids again', [{ ...reading(1), created_at: '2026-06-01T00:00:00.000Z' }]],
  [
    'has another reading with the newest id',
    [1, 2, 3].map((id) => ({ ...reading(id), created_at: '2026-06-01T00:00:00.000Z' })),
  ],
])('forgets its readings and asks for everything if the table %s', (_, table) => {
  const page = caughtUp(pageWith(), table);
  expect(ids(page)).toEqual([]);
  expect(missingReadings(page, 300)).toEqual({ limit: 100, isFullHistory: true });
  expect(ids(addFetched(page, { readings: table }, missingReadings(page, 300)))).toEqual(
    table.map(({ id }) => id),
  );
});

test('keeps its readings if the table has its newest one, or too many newer ones to tell', () => {
  expect(ids(caughtUp(pageWith(), [reading(3)]))).toEqual([1, 2, 3]);
  expect(ids(caughtUp(pageWith({}, 3), [reading(4), reading(5), reading(6)]))).toEqual([4, 5, 6]);
});

test("measures by the clock that timed the inserts, the earliest of them, whatever the server's is", () => {
  const nineMinutes = 540_000;
  const at = (viewerTime: number, storeTime: number) => ({ serverTime: storeTime, viewerTime });
  const first = addInsert(pageWith(), reading(4), at(1007, 2000 - nineMinutes));
  expect(first.leadMs).toBe(-nineMinutes);
  const late = addInsert(first, reading(5), at(2007, 3000 - nineMinutes - 5000));
  expect(late.leadMs).toBe(-nineMinutes);
  expect(addInsert(late, reading(6)).leadMs).toBe(-nineMinutes);
});

test('measures the lead of that clock again after the viewer slept', () => {
  const page = addInsert(pageWith(), reading(4), { serverTime: 10_801_000, viewerTime: 7 });
  expect(page.leadMs).toBe(10_800_000);
  const missing = { limit: 100, isFullHistory: false };
  const clock = { serverTime: 10_802_000, viewerTime: 1007 };
  expect(addFetched(page, { readings: [], clock }, missing).leadMs).toBeUndefined();
});
