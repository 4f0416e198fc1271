import { expect, test } from 'vitest';
import {
  addFetched,
  addInserts,
  haveBeenDeleted,
  leavePage,
  missingReadings,
  openPage,
  outcomeOf,
  type PageState,
  setConnection,
  startPage,
  withOutdatedHistory,
} from '../../../app/live/browser/page-state';
import { readingClock } from '../../../app/live/browser/server-clock';
import type { InitialReadings } from '../../../app/live/initial-readings';
import type { Reading } from '../../../app/readings/reading';
import { FIRST_THREE, reading, readings, sensorWith } from '../../support/readings/readings';

/** The state of a page rendered with the first three readings. */
const pageWith = (initial: Partial<InitialReadings> = {}, capacity = 100) =>
  startPage(
    { ...FIRST_THREE, sensors: sensorWith(initial.readings ?? readings(3)), ...initial },
    capacity,
    7,
  );

/** The page after a fetch of these readings. */
const fetched = (page: PageState, readings: Reading[], isFullHistory = false) =>
  addFetched(page, { readings }, { limit: 100, isFullHistory });

/** The page after inserts with these ids. */
const inserted = (page: PageState, ...insertedIds: number[]) =>
  insertedIds.reduce((state, id) => addInserts(state, [{ reading: reading(id) }]), page);

/** The properties of the hosted feed, and of a feed that doesn't look back. */
const HOSTED = { lookback: 300, firstPart: 40 };
const NEAR = { lookback: 0, firstPart: Number.POSITIVE_INFINITY };

const ids = ({ history }: PageState) => history.readings.map(({ id }) => id);

test.each([
  ['the rest of the history', pageWith({ readings: readings(3).slice(2) }), 3],
  ['the first history of a page without any', pageWith({ readings: [], count: 0, newestId: null }), 3],
])('adds %s', (_, page, newestId) => {
  const next = fetched(page, readings(3), true);
  expect(ids(next)).toEqual([1, 2, 3]);
  expect(next.newestId).toBe(newestId);
});

test('keeps a late row below the newest known id', () => {
  const page = pageWith({ readings: [reading(1), reading(3)], count: 2 });
  const next = fetched(page, [reading(2), reading(3)]);
  expect(ids(next)).toEqual([1, 2, 3]);
});

test('stays disconnected since the first failure, with the latest reason', () => {
  const first = setConnection(pageWith(), { isLive: false, reason: 'first' }, 10);
  const second = setConnection(first, { isLive: false, reason: 'second' }, 20);
  expect(second.connection).toEqual({ state: 'disconnected', since: 10, reason: 'second' });
  const live = setConnection(second, { isLive: true }, 30);
  expect(live.connection).toEqual({ state: 'live' });
  expect(setConnection(live, { isLive: false }, 40).connection).toMatchObject({ since: 40 });
  expect(setConnection(live, { isLive: true, reason: 'slow' }, 50).connection).toEqual({
    state: 'live',
    reason: 'slow',
  });
});

test('sets the clock from each answer that contains one', () => {
  const page = pageWith();
  expect(page.clock).toEqual({ serverTime: 1000, viewerTime: 7 });
  expect(fetched(page, []).clock).toEqual(page.clock);
  const clock = { serverTime: 9000, viewerTime: 50 };
  const missing = { limit: 100, isFullHistory: false };
  expect(addFetched(page, { readings: [], clock }, missing).clock).toEqual(clock);
});

test.each([
  ['a complete page, after its newest id', pageWith(), NEAR, { limit: 1000, after: 3, isFullHistory: false }],
  [
    'a complete page, looking back',
    pageWith({ newestId: 500 }),
    HOSTED,
    { limit: 1000, after: 200, isFullHistory: false },
  ],
  [
    'a complete page, from the start at most',
    pageWith(),
    HOSTED,
    { limit: 1000, after: 0, isFullHistory: false, known: reading(3) },
  ],
  ['a page that lacks history', pageWith({ count: 80 }), NEAR, { limit: 100, isFullHistory: true }],
  [
    'a page whose server could not read the store',
    pageWith({ newestId: null }),
    NEAR,
    { limit: 100, withSensors: true, isFullHistory: true },
  ],
  [
    'a page that starts empty, after its first id',
    pageWith({ readings: [], count: 0, newestId: 50, startsEmpty: true }),
    HOSTED,
    { limit: 1000, after: 50, isFullHistory: false },
  ],
  [
    'a page that starts empty, without a first id',
    pageWith({ readings: [], count: 0, newestId: null, startsEmpty: true }),
    HOSTED,
    { limit: 1, after: 0, withSensors: true, isFullHistory: false },
  ],
])('selects the readings for %s', (_, page, feed, query) => {
  expect(missingReadings(page, feed)).toEqual(query);
});

test.each([
  ['is long', pageWith({ count: 80 }), undefined],
  ['may be long', pageWith({ readings: [], count: 0, newestId: null }), true],
])(
  'requests the newest part of a history that %s from a slow store, and then all of it',
  (_, page, withSensors) => {
    const query = missingReadings(page, HOSTED);
    expect(query).toEqual({ limit: 40, withSensors, isFullHistory: false });
    const next = addFetched(page, { readings: readings(80).slice(40) }, query);
    expect([ids(next).length, outcomeOf(next)]).toEqual([page.history.readings.length + 40, 'incomplete']);
    const rest = missingReadings(next, HOSTED, 'rest');
    expect(rest).toEqual({ limit: 100, isFullHistory: true });
    const whole = addFetched(next, { readings: readings(80) }, rest);
    expect([ids(whole).length, whole.history.count, outcomeOf(whole)]).toEqual([80, 80, 'complete']);
  },
);

test('an insert before the first fetch of a history does not count as the whole history', () => {
  const page = inserted(pageWith({ readings: [], count: 0, newestId: null }), 51);
  expect(missingReadings(page, NEAR)).toEqual({ limit: 100, withSensors: true, isFullHistory: true });
  const whole = addFetched(page, { readings: [reading(50), reading(51)] }, missingReadings(page, NEAR));
  expect([ids(whole), outcomeOf(whole)]).toEqual([[50, 51], 'complete']);
});

test('a page that starts empty begins at the newest reading if the server did not know it', () => {
  const unknown = pageWith({ readings: [], count: 0, newestId: null, startsEmpty: true });
  const page = fetched(unknown, [reading(50)]);
  expect(ids(page)).toEqual([]);
  expect(missingReadings(page, HOSTED)).toEqual({ limit: 1000, after: 50, isFullHistory: false });
  expect(ids(fetched(page, [reading(51)]))).toEqual([51]);
  expect(missingReadings(fetched(unknown, []), HOSTED).after).toBe(0);
});

test('an insert before the first fetch of a page that starts empty stays', () => {
  const unknown = pageWith({ readings: [], count: 0, newestId: null, startsEmpty: true });
  const page = fetched(inserted(unknown, 51), [reading(50)]);
  expect(ids(page)).toEqual([51]);
  expect(missingReadings(page, NEAR).after).toBe(51);
});

test('keeps the newest readings up to its capacity', () => {
  const page = inserted(pageWith({}, 3), 4, 5);
  expect(ids(page)).toEqual([3, 4, 5]);
  expect(page.history.count).toBe(3);
});

/** The page after a fetch from a table with these readings. */
const caughtUp = (page: PageState, table: Reading[]) =>
  addFetched(page, { readings: table }, missingReadings(page, HOSTED));

test.each([
  ['was emptied', []],
  ['was emptied and restarted its ids', [{ ...reading(1), created_at: '2026-06-01T00:00:00.000Z' }]],
  [
    'has another reading with the newest id',
    [1, 2, 3].map((id) => ({ ...reading(id), created_at: '2026-06-01T00:00:00.000Z' })),
  ],
])('drops its readings and requests everything if the table %s', (_, table) => {
  const page = caughtUp(pageWith(), table);
  expect(ids(page)).toEqual([]);
  expect(missingReadings(page, NEAR)).toEqual({ limit: 100, withSensors: true, isFullHistory: true });
  expect(ids(addFetched(page, { readings: table }, missingReadings(page, NEAR)))).toEqual(
    table.map(({ id }) => id),
  );
});

test('keeps its readings if the table has its newest one, or too many newer ones to tell', () => {
  expect(ids(caughtUp(pageWith(), [reading(3)]))).toEqual([1, 2, 3]);
  expect(ids(caughtUp(pageWith({}, 3), readings(1003).slice(3)))).toEqual([1001, 1002, 1003]);
});

test('a page that started empty shows the readings stored after the table was emptied', () => {
  const page = inserted(pageWith({ readings: [], count: 0, newestId: 50, startsEmpty: true }), 51);
  const emptied = caughtUp(page, []);
  expect(outcomeOf(emptied)).toBe('emptied');
  expect(ids(addFetched(emptied, { readings: readings(2) }, missingReadings(emptied, NEAR)))).toEqual([1, 2]);
});

/** The page after inserts that arrived a second apart, by a clock this far ahead of the server's. */
const timed = (page: PageState, ...leadsMs: number[]) =>
  leadsMs.reduce((state, leadMs, i) => {
    const viewerTime = 7 + i * 1000;
    const stored = { serverTime: 1000 + i * 1000 + leadMs, viewerTime };
    return addInserts(state, [{ reading: reading(4 + i), stored }]);
  }, page);

const leadOf = (page: PageState) => readingClock(page).serverTime - page.clock.serverTime;

test('uses the lead of the clock that timed the inserts, measured by the earliest insert', () => {
  expect(leadOf(pageWith())).toBe(0);
  const page = timed(pageWith(), -540_000, -545_000);
  expect(leadOf(page)).toBe(-540_000);
  expect(leadOf(inserted(page, 6))).toBe(-540_000);
});

test('measures that lead again ten inserts after the clock was set back', () => {
  expect(leadOf(timed(pageWith(), 180_000, ...Array(9).fill(0)))).toBe(180_000);
  expect(leadOf(timed(pageWith(), 180_000, ...Array(10).fill(0)))).toBe(0);
});

test('drops that lead after the viewer slept', () => {
  const page = timed(pageWith(), 10_800_000);
  const missing = { limit: 100, isFullHistory: false };
  const clock = { serverTime: 10_802_000, viewerTime: 1007 };
  expect(leadOf(addFetched(page, { readings: [], clock }, missing))).toBe(0);
});

/** A page of the bedroom that lacks most of its history and knows the kitchen. */
const bedroomPage = () => {
  const ofBedroom = (id: number) => reading(id, { sensor: 'Bedroom' });
  const kitchen = reading(1, { sensor: 'Kitchen' });
  const sensors = [...sensorWith([ofBedroom(2)]), ...sensorWith([kitchen])];
  const page = pageWith({ sensor: 'Bedroom', sensors, readings: [ofBedroom(2)], count: 80, newestId: 2 });
  return { page, ofBedroom, kitchen };
};

test('a page with several sensors requests its own history, after the list of sensors', () => {
  const query = { limit: 100, sensor: 'Bedroom', withSensors: true, isFullHistory: true };
  expect(missingReadings(bedroomPage().page, NEAR)).toEqual(query);
});

test('requests readings of other sensors that may have been stored after the list was read', () => {
  const { page, ofBedroom, kitchen } = bedroomPage();
  const sensors = [...sensorWith([ofBedroom(5)]), ...sensorWith([kitchen])];
  const readings = [2, 5, 8].map(ofBedroom);
  const next = addFetched(page, { readings, sensors }, missingReadings(page, NEAR));
  expect([ids(next), outcomeOf(next)]).toEqual([[2, 5, 8], 'complete']);
  expect(missingReadings(next, NEAR).after).toBe(5);
});

test('an answer of maximum length makes the page read its history and the list again', () => {
  const page = pageWith();
  const missing = { limit: 2, after: 3, isFullHistory: false };
  const next = addFetched(page, { readings: [reading(8), reading(9)] }, missing);
  expect([ids(next), outcomeOf(next)]).toEqual([[1, 2, 3, 8, 9], 'incomplete']);
  expect(missingReadings(next, NEAR, 'rest')).toEqual({ limit: 100, withSensors: true, isFullHistory: true });
});

/** A capacity that no other test uses, because left pages are kept by their capacity. */
let capacity = 100;
const nextCapacity = () => ++capacity;

/** Leaves a live page that was rendered with the readings up to 3 and received reading 4. */
function leaveAfterInsert(capacity: number, initial = FIRST_THREE): void {
  const page = addInserts(startPage(initial, capacity, 0), [{ reading: reading(4) }]);
  leavePage(setConnection(page, { isLive: true }, 0));
}

/** Opens a page to which the server has just sent these readings. */
const openWith = (capacity: number, sent: Partial<InitialReadings>) =>
  openPage({ ...FIRST_THREE, serverTime: 60_000, ...sent }, capacity, 7);

test('a page that was never left starts from the sent readings', () => {
  const capacity = nextCapacity();
  expect(openPage(FIRST_THREE, capacity, 7)).toEqual(startPage(FIRST_THREE, capacity, 7));
});

test("going back shows the earlier and the new readings and the server's time, and connects", () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  const page = openWith(capacity, { readings: [reading(4), reading(5)], count: 5, newestId: 5 });
  expect(ids(page)).toEqual([1, 2, 3, 4, 5]);
  expect(page).toMatchObject({
    connection: { state: 'connecting' },
    clock: { serverTime: 60_000, viewerTime: 7 },
    history: { count: 5 },
    // The catch-up starts where the page was left, because late readings may have been stored since.
    newestId: 4,
  });
});

test('starts from the sent readings if there may be readings in between', () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  const page = openWith(capacity, { readings: [reading(90), reading(91)], count: 91, newestId: 91 });
  expect(ids(page)).toEqual([90, 91]);
  expect(page).toMatchObject({ newestId: 91, history: { count: 91 } });
});

test('an emptied table removes the earlier readings', () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  expect(ids(openWith(capacity, { readings: [], count: 0, newestId: 0 }))).toEqual([]);
});

test('keeps the earlier readings if the server could not read the store', () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  expect(ids(openWith(capacity, { readings: [], count: 0, newestId: null }))).toEqual([1, 2, 3, 4]);
});

test('a page that starts empty starts over, and leaves nothing to a page of the same capacity', () => {
  const capacity = nextCapacity();
  const empty = { ...FIRST_THREE, readings: [], count: 0, startsEmpty: true };
  leaveAfterInsert(capacity, empty);
  expect(ids(openWith(capacity, {}))).toEqual([1, 2, 3]);
  leaveAfterInsert(capacity);
  expect(ids(openWith(capacity, empty))).toEqual([]);
});

test('pages of different capacities do not share a state', () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  expect(ids(openWith(nextCapacity(), {}))).toEqual([1, 2, 3]);
});

test('after readings were deleted, the next full history replaces the readings, but keeps later ones', () => {
  const outdated = withOutdatedHistory(pageWith({ readings: readings(3) }));
  expect(missingReadings(outdated, NEAR)).toMatchObject({ isFullHistory: true, withSensors: true });
  const next = fetched(inserted(outdated, 4), [reading(1), reading(3)], true);
  expect(ids(next)).toEqual([1, 3, 4]);
  expect(outcomeOf(next)).toBe('complete');
  // From here on, readings are added as ever.
  expect(ids(fetched(next, [reading(5)]))).toEqual([1, 3, 4, 5]);
});

test('a page learns from a later fetch that readings were deleted while it was hidden', () => {
  const page = (deletions?: string) => ({ ...pageWith(), deletions });
  const areDeleted = (before: string | undefined, deletions: string | undefined) =>
    haveBeenDeleted(page(before), { readings: [], deletions });
  expect(areDeleted('a.0', 'a.1')).toBe(true);
  expect(areDeleted('a.1', 'b.2')).toBe(true);
  expect(areDeleted('a.1', 'a.1')).toBe(false);
  // A restarted server, a page that has just changed its readings, and an older server.
  for (const [before, now] of [
    ['a.1', 'b.0'],
    [undefined, 'a.1'],
    ['a.1', undefined],
  ])
    expect(areDeleted(before, now)).toBe(false);
});
