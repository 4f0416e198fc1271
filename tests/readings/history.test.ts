import { expect, test } from 'vitest';
import {
  catchUp,
  currentOf,
  type History,
  insertReading,
  isComplete,
  previousOf,
  startHistory,
} from '../../app/readings/history';
import type { Reading } from '../../app/readings/reading';
import { reading, readings } from '../support/readings';

/** A page that was given the first `given` of `stored` readings' newest. */
function pageWith(given: Reading[], count = given.length, keep?: number): History {
  const newestId = Math.max(0, ...given.map(({ id }) => id));
  return startHistory({ readings: given, count, newestId }, keep);
}

const ids = (history: History) => history.readings.map(({ id }) => id);

test('a page is loading until the first insert, and has neither current nor previous', () => {
  const page = pageWith(readings(3));
  expect(page.loading).toBe(true);
  expect([currentOf(page), previousOf(page)]).toEqual([null, null]);
});

test('the first insert ends the loading; it is current, and what was the newest is previous', () => {
  const page = insertReading(pageWith(readings(3)), reading(4));
  expect(page.loading).toBe(false);
  expect([currentOf(page)?.id, previousOf(page)?.id]).toEqual([4, 3]);
  expect(ids(page)).toEqual([1, 2, 3, 4]);
});

test('every insert rolls current and previous', () => {
  const page = [4, 5, 6].map((id) => reading(id)).reduce(insertReading, pageWith(readings(3)));
  expect([currentOf(page)?.id, previousOf(page)?.id, page.count, page.newestId]).toEqual([6, 5, 6, 6]);
});

test('the first reading of all has none before it', () => {
  const page = insertReading(pageWith([]), reading(1));
  expect([currentOf(page)?.id, previousOf(page)]).toEqual([1, null]);
});

test('a late reading takes its place in time and never becomes current', () => {
  const late = reading(4, { created_at: reading(1).created_at.replace('.000Z', '.500Z') });
  const page = insertReading(pageWith(readings(3)), late);
  expect(ids(page)).toEqual([1, 4, 2, 3]);
  expect([currentOf(page)?.id, previousOf(page)?.id]).toEqual([3, 2]);
  expect(page).toMatchObject({ count: 4, newestId: 4 });
});

test('readings of the same moment stand in the order of their ids', () => {
  const { created_at } = reading(9);
  const page = [7, 5, 6].map((id) => reading(id, { created_at })).reduce(insertReading, pageWith([]));
  expect(ids(page)).toEqual([5, 6, 7]);
});

test('a reading that comes twice is there once', () => {
  const once = insertReading(pageWith(readings(3)), reading(4));
  const twice = insertReading(once, reading(4));
  expect(twice).toEqual(once);
  expect(catchUp(once, [reading(3), reading(4)], false)).toEqual(once);
  expect(ids(catchUp(pageWith([]), [reading(1), reading(1)], false))).toEqual([1]);
});

test('the history of a page that learns nothing new is the same object: nothing is drawn again', () => {
  const page = insertReading(pageWith(readings(3)), reading(4));
  expect(insertReading(page, reading(2)).readings).toBe(page.readings);
  expect(catchUp(page, [], false).readings).toBe(page.readings);
});

test('a page keeps its newest readings and no more', () => {
  let page = pageWith(readings(5), 5, 5);
  for (let id = 6; id <= 20; id++) page = insertReading(page, reading(id));
  expect(ids(page)).toEqual([16, 17, 18, 19, 20]);
  expect(page.count).toBe(5);
  expect(ids(pageWith(readings(9), 9, 4))).toEqual([6, 7, 8, 9]);
});

test('a late reading older than all that a full page keeps is not kept', () => {
  const page = insertReading(
    pageWith(readings(9).slice(4), 5, 5),
    reading(10, { created_at: reading(1).created_at }),
  );
  expect(ids(page)).toEqual([5, 6, 7, 8, 9]);
  expect(page.newestId).toBe(10);
});

test('a page counts what it does not hold yet: 40 are given, 6000 are stored', () => {
  const page = pageWith(readings(6000).slice(-40), 6000);
  expect(page.count).toBe(5760);
  expect(isComplete(page)).toBe(false);
  expect(insertReading(page, reading(6001)).count).toBe(5760);
  const behind = pageWith(readings(300).slice(-40), 239);
  expect(insertReading(behind, reading(301)).count).toBe(240);
});

test('fetching the rest makes the page complete, and is no insert', () => {
  const all = readings(300);
  const page = catchUp(pageWith(all.slice(-40), 300), all, true);
  expect(page.readings).toEqual(all);
  expect([isComplete(page), page.loading, page.count]).toEqual([true, true, 300]);
});

test('what is fetched as everything corrects the count', () => {
  const page = catchUp(pageWith(readings(40), 300), readings(50), true);
  expect(page.count).toBe(50);
  expect(isComplete(page)).toBe(true);
});

test('a reading that was stored after the page was made counts as an insert, though it was fetched', () => {
  const page = catchUp(pageWith(readings(3)), [reading(4)], false);
  expect([page.loading, currentOf(page)?.id, previousOf(page)?.id, page.count]).toEqual([false, 4, 3, 4]);
});

test('a late row below the newest id, found by the overlap, is no insert but is not lost', () => {
  const page = catchUp(pageWith([reading(1), reading(3)], 2), [reading(2), reading(3)], false);
  expect(ids(page)).toEqual([1, 2, 3]);
  expect(page).toMatchObject({ loading: true, newestId: 3 });
});

test('a page that could not ask the store knows nothing, and learns it by catching up', () => {
  const blind = startHistory({ readings: [], count: 0, newestId: null });
  expect(isComplete(blind)).toBe(false);
  const page = catchUp(blind, readings(3), true);
  expect(page).toMatchObject({ newestId: 3, count: 3, loading: true });
  expect(catchUp(blind, [], true)).toMatchObject({ newestId: 0, count: 0, loading: true });
  expect(isComplete(catchUp(blind, [], true))).toBe(true);
});

test('however readings arrive, the page ends up with the same', () => {
  const all = readings(50);
  const straight = all.reduce(insertReading, pageWith([]));
  const shuffled = [...all].sort((a, b) => ((a.id * 7919) % 101) - ((b.id * 7919) % 101));
  const mixed = catchUp(shuffled.slice(20).reduce(insertReading, pageWith([])), shuffled, false);
  expect(mixed).toEqual(straight);
});

test('nothing that is handed in is changed', () => {
  const given = Object.freeze(readings(3)) as Reading[];
  const page = Object.freeze(pageWith(given));
  insertReading(page, reading(4));
  catchUp(page, Object.freeze([reading(5)]), true);
  expect(ids(page)).toEqual([1, 2, 3]);
});
