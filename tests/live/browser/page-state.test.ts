import { expect, test } from 'vitest';
import {
  missingReadings,
  type PageAction,
  type PageState,
  reducePage,
  startPage,
} from '../../../app/live/browser/page-state';
import type { InitialReadings } from '../../../app/live/initial-readings';
import type { Reading } from '../../../app/readings/reading';
import { reading, readings } from '../../support/readings';

/** The state of a page rendered with the first three readings. */
const pageWith = (initial: Partial<InitialReadings> = {}, capacity = 100) =>
  startPage({ readings: readings(3), count: 3, newestId: 3, serverTime: 1000, ...initial }, capacity);

const after = (page: PageState, ...actions: PageAction[]) => actions.reduce(reducePage, page);

const inserted = (id: number): PageAction => ({ type: 'inserted', reading: reading(id) });

const fetched = (fetchedReadings: Reading[], isFullHistory = false, serverTime: number | null = null) =>
  ({
    type: 'fetched',
    fetched: { readings: fetchedReadings, serverTime },
    isFullHistory,
    viewerTime: 50,
  }) satisfies PageAction;

const ids = ({ history }: PageState) => history.readings.map(({ id }) => id);

test('is loading until the first insert', () => {
  expect(pageWith().isLoading).toBe(true);
  expect(after(pageWith(), inserted(4)).isLoading).toBe(false);
});

test('a fetched reading above the newest known id counts as an insert', () => {
  expect(after(pageWith(), fetched([reading(4)])).isLoading).toBe(false);
  expect(after(pageWith(), fetched([reading(2), reading(3)])).isLoading).toBe(true);
});

test.each([
  ['the rest of the history', pageWith({ readings: readings(3).slice(2) }), 3],
  ['the first history of a page without any', pageWith({ readings: [], count: 0, newestId: null }), 3],
])('fetching %s is no insert', (_, page, newestId) => {
  const next = after(page, fetched(readings(3), true));
  expect(ids(next)).toEqual([1, 2, 3]);
  expect(next).toMatchObject({ isLoading: true, history: { newestId } });
});

test('a late row below the newest known id is no insert and is not lost', () => {
  const page = pageWith({ readings: [reading(1), reading(3)], count: 2 });
  const next = after(page, fetched([reading(2), reading(3)]));
  expect(ids(next)).toEqual([1, 2, 3]);
  expect(next.isLoading).toBe(true);
});

test('an insert that comes twice changes nothing', () => {
  const page = after(pageWith(), inserted(4));
  expect(after(page, inserted(4))).toBe(page);
});

test('stays disconnected since the first failure, with the latest reason', () => {
  const page = after(
    pageWith(),
    { type: 'disconnected', reason: 'first', time: 10 },
    { type: 'disconnected', reason: 'second', time: 20 },
  );
  expect(page.connection).toEqual({ state: 'disconnected', since: 10, reason: 'second' });
  const again = after(page, { type: 'connected' }, { type: 'disconnected', time: 30 });
  expect(again.connection).toEqual({ state: 'disconnected', since: 30, reason: undefined });
});

test('takes the clock from each answer that has a Date', () => {
  const page = after(pageWith(), { type: 'hydrated', viewerTime: 7 });
  expect(page.clock).toEqual({ serverTime: 1000, viewerTime: 7 });
  expect(after(page, fetched([])).clock).toEqual({ serverTime: 1000, viewerTime: 7 });
  const answered = after(page, fetched([], false, 9000));
  expect(answered.clock).toEqual({ serverTime: 9000, viewerTime: 50 });
  // The effect runs a second time when the feed changes.
  expect(after(answered, { type: 'hydrated', viewerTime: 99 }).clock).toEqual(answered.clock);
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
    { limit: 100, after: 0, isFullHistory: false },
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
  const page = after(unknown, fetched([reading(50)]));
  expect(ids(page)).toEqual([]);
  expect(missingReadings(page, 300)).toEqual({ limit: 100, after: 50, isFullHistory: false });
  expect(after(page, fetched([reading(51)]))).toMatchObject({ isLoading: false });
  expect(missingReadings(after(unknown, fetched([])), 300).after).toBe(0);
  const early = after(unknown, inserted(51), fetched([reading(50)]));
  expect(ids(early)).toEqual([51]);
  expect(missingReadings(early, 0).after).toBe(51);
});

test('keeps the newest readings up to its capacity', () => {
  const page = after(pageWith({}, 3), inserted(4), inserted(5));
  expect(ids(page)).toEqual([3, 4, 5]);
  expect(page.history.count).toBe(3);
});
