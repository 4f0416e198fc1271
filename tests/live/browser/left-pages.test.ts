import { expect, test } from 'vitest';
import { leavePage, openPage } from '../../../app/live/browser/left-pages';
import { addInserts, type PageState, setConnection, startPage } from '../../../app/live/browser/page-state';
import type { InitialReadings } from '../../../app/live/initial-readings';
import { FIRST_THREE, reading } from '../../support/readings/readings';

/** A capacity that no other test uses, because left pages are kept by their capacity. */
let capacity = 100;
const nextCapacity = () => ++capacity;

/** Leaves a live page that was rendered with the readings up to 3 and got reading 4. */
function leaveAfterInsert(capacity: number, initial = FIRST_THREE): void {
  const page = addInserts(startPage(initial, capacity, 0), [{ reading: reading(4) }]);
  leavePage(setConnection(page, { isLive: true }, 0));
}

/** Opens a page for which the server has just sent these readings. */
const openWith = (capacity: number, sent: Partial<InitialReadings>) =>
  openPage({ ...FIRST_THREE, serverTime: 60_000, ...sent }, capacity, 7);

const ids = ({ history }: PageState) => history.readings.map(({ id }) => id);

test('a page that was never left starts', () => {
  const capacity = nextCapacity();
  expect(openPage(FIRST_THREE, capacity, 7)).toEqual(startPage(FIRST_THREE, capacity, 7));
});

test("going back continues with the readings of before, those sent now and the server's time, connecting", () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  const page = openWith(capacity, { readings: [reading(4), reading(5)], count: 5, newestId: 5 });
  expect(ids(page)).toEqual([1, 2, 3, 4, 5]);
  expect(page).toMatchObject({
    connection: { state: 'connecting' },
    clock: { serverTime: 60_000, viewerTime: 7 },
    history: { count: 5 },
    // The catch-up begins where the page was left, because late readings may have been stored since.
    newestId: 4,
  });
});

test('starts from what was sent if there may be readings between', () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  const page = openWith(capacity, { readings: [reading(90), reading(91)], count: 91, newestId: 91 });
  expect(ids(page)).toEqual([90, 91]);
  expect(page).toMatchObject({ newestId: 91, history: { count: 91 } });
});

test('an emptied table leaves nothing of before', () => {
  const capacity = nextCapacity();
  leaveAfterInsert(capacity);
  expect(ids(openWith(capacity, { readings: [], count: 0, newestId: 0 }))).toEqual([]);
});

test('keeps the readings of before if the server could not read the store', () => {
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
