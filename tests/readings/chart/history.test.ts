import { expect, test } from 'vitest';
import {
  addReadings,
  catchUp,
  type History,
  isComplete,
  latestReadings,
  startHistory,
  withUnknownRest,
} from '../../../app/readings/chart/history';
import type { Reading } from '../../../app/readings/reading';
import { reading, readings } from '../../support/readings/readings';

/** A history of these readings, which are some of `count` stored ones. */
function historyOf(given: Reading[], count = given.length, capacity?: number): History {
  const newestId = Math.max(0, ...given.map(({ id }) => id));
  return startHistory({ readings: given, count, newestId }, capacity);
}

/** Adds readings one by one. */
const addEach = (history: History, added: Reading[]) =>
  added.reduce((all, one) => addReadings(all, [one]), history);

const ids = (history: History) => history.readings.map(({ id }) => id);

/** A reading from the future. */
const future = (id: number) => reading(id, { created_at: '2099-01-01T00:00:00.000Z' });

/** The ids of the latest readings, 5 s after reading 5. */
const latestIds = (history: History) =>
  latestReadings(history, Date.parse(reading(5).created_at) + 5000).map(({ id }) => id);

test('adds an insert at the end and counts it', () => {
  const history = addReadings(historyOf(readings(3)), [reading(4)]);
  expect(ids(history)).toEqual([1, 2, 3, 4]);
  expect(history.count).toBe(4);
});

test('inserts a late reading at its time', () => {
  const late = reading(4, { created_at: reading(1).created_at.replace('.000Z', '.500Z') });
  const history = addReadings(historyOf(readings(3)), [late]);
  expect(ids(history)).toEqual([1, 4, 2, 3]);
  expect(latestIds(history)).toEqual([2, 3]);
  expect(history.count).toBe(4);
});

test('the latest readings are those stored last, even if readings from the future fill the history', () => {
  const full = historyOf([1, 2, 3].map(future), 3, 3);
  expect(latestIds(full)).toEqual([2, 3]);
  const history = addEach(full, [reading(4), reading(5)]);
  expect(ids(history)).toEqual([1, 2, 3]);
  expect(latestIds(history)).toEqual([4, 5]);
  expect(latestIds(addReadings(history, [reading(5)]))).toEqual([4, 5]);
});

test('a history that starts with readings from the future and the last stored ones finds the latest', () => {
  const lastStored = [reading(3), reading(4)];
  const history = startHistory({ readings: [1, 2].map(future), count: 4, newestId: 4, lastStored });
  expect(latestIds(history)).toEqual([3, 4]);
  expect(latestIds(catchUp(history, [reading(3), reading(4), future(1), future(2)], true))).toEqual([3, 4]);
});

test('orders readings of the same moment by id', () => {
  const { created_at } = reading(9);
  const history = addEach(
    historyOf([]),
    [7, 5, 6].map((id) => reading(id, { created_at })),
  );
  expect(ids(history)).toEqual([5, 6, 7]);
});

test('keeps a duplicate reading once', () => {
  const once = addReadings(historyOf(readings(3)), [reading(4)]);
  expect(addReadings(once, [reading(4)])).toEqual(once);
  expect(catchUp(once, [reading(3), reading(4)], false)).toEqual(once);
  expect(ids(catchUp(historyOf([]), [reading(1), reading(1)], false))).toEqual([1]);
});

test('keeps the same array if there is no new reading, so nothing is redrawn', () => {
  const history = addReadings(historyOf(readings(3)), [reading(4)]);
  expect(addReadings(history, [reading(2)])).toBe(history);
  expect(catchUp(history, [], false).readings).toBe(history.readings);
});

test('keeps the newest readings up to its capacity', () => {
  const history = addEach(historyOf(readings(5), 5, 5), readings(20).slice(5));
  expect(ids(history)).toEqual([16, 17, 18, 19, 20]);
  expect(history.count).toBe(5);
  expect(ids(historyOf(readings(9), 9, 4))).toEqual([6, 7, 8, 9]);
});

test('drops a late reading that is older than a full history', () => {
  const full = historyOf(readings(9).slice(4), 5, 5);
  const history = addReadings(full, [reading(10, { created_at: reading(1).created_at })]);
  expect(ids(history)).toEqual([5, 6, 7, 8, 9]);
  expect(history.count).toBe(5);
});

test('counts stored readings that are not loaded: 40 are loaded, 6000 are stored', () => {
  const history = historyOf(readings(6000).slice(-40), 6000);
  expect(history.count).toBe(5760);
  expect(isComplete(history)).toBe(false);
  expect(addReadings(history, [reading(6001)]).count).toBe(5760);
  const behind = historyOf(readings(300).slice(-40), 239);
  expect(addReadings(behind, [reading(301)]).count).toBe(240);
});

test('is complete once the rest has been fetched', () => {
  const all = readings(300);
  const history = catchUp(historyOf(all.slice(-40), 300), all, true);
  expect(history.readings).toEqual(all);
  expect([isComplete(history), history.count]).toEqual([true, 300]);
});

test('corrects its count by the full history', () => {
  const history = catchUp(historyOf(readings(40), 300), readings(50), true);
  expect(history.count).toBe(50);
  expect(isComplete(history)).toBe(true);
});

test('adds a late row below the newest id, found by looking back', () => {
  const history = catchUp(historyOf([reading(1), reading(3)], 2), [reading(2), reading(3)], false);
  expect(ids(history)).toEqual([1, 2, 3]);
  expect(history.count).toBe(3);
});

test('counts a late reading once, however the rest of the history arrives', () => {
  const late = reading(301, { created_at: reading(2).created_at.replace('.000Z', '.500Z') });
  const history = addReadings(historyOf(readings(300).slice(-40), 300), [late, late]);
  expect(history.count).toBe(301);
  expect(addReadings(history, [late])).toBe(history);
  const all = catchUp(history, readings(300), true);
  expect([all.count, ids(all).slice(0, 4), isComplete(all)]).toEqual([301, [1, 2, 301, 3], true]);
});

test('orders times in milliseconds and microseconds', () => {
  const [a, b, c] = ['10:00:00.123Z', '10:00:00.123456Z', '10:00:00.124Z'].map((time, i) =>
    reading(i + 1, { created_at: `2026-01-02T${time}` }),
  ) as [Reading, Reading, Reading];
  expect(ids(addEach(historyOf([]), [b, c, a]))).toEqual([1, 2, 3]);
});

test('a history with an unknown rest is incomplete until all of it is read', () => {
  const unknown = withUnknownRest(historyOf(readings(3)));
  expect(isComplete(unknown)).toBe(false);
  expect(isComplete(catchUp(unknown, readings(3), false))).toBe(false);
  expect(isComplete(catchUp(unknown, readings(3), true))).toBe(true);
});

test('ends up the same for any order of arrival', () => {
  const all = readings(50);
  const shuffled = [...all].sort((a, b) => ((a.id * 7919) % 101) - ((b.id * 7919) % 101));
  const mixed = catchUp(addEach(historyOf([]), shuffled.slice(20)), shuffled, false);
  expect(mixed).toEqual(addEach(historyOf([]), all));
});

test('changes none of its arguments', () => {
  const given = Object.freeze(readings(3)) as Reading[];
  const history = Object.freeze(historyOf(given));
  addReadings(history, Object.freeze([reading(4)]));
  catchUp(history, Object.freeze([reading(5)]), true);
  expect(ids(history)).toEqual([1, 2, 3]);
});
