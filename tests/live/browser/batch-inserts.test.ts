import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchInserts, type InsertBatches } from '../../../app/live/browser/use-readings';
import { reading } from '../../support/readings/readings';

let batches: number[][];
let inserts: InsertBatches;

beforeEach(() => {
  vi.useFakeTimers();
  batches = [];
  inserts = batchInserts((batch) => batches.push(batch.map(({ reading }) => reading.id)));
});
afterEach(() => vi.useRealTimers());

const add = (...ids: number[]) => {
  for (const id of ids) inserts.add({ reading: reading(id) });
};

test('passes on an insert at once if none came shortly before', () => {
  add(1);
  expect(batches).toEqual([[1]]);
  vi.advanceTimersByTime(50);
  add(2);
  expect(batches).toEqual([[1], [2]]);
});

test('passes on a burst in batches, in order, and its end without another insert', () => {
  add(1, 2, 3);
  vi.advanceTimersByTime(50);
  add(4, 5);
  expect(batches).toEqual([[1], [2, 3]]);
  vi.advanceTimersByTime(50);
  expect(batches).toEqual([[1], [2, 3], [4, 5]]);
  vi.advanceTimersByTime(50);
  expect(vi.getTimerCount()).toBe(0);
});

test('ten thousand simultaneous inserts are two batches', () => {
  add(...Array.from({ length: 10_000 }, (_, i) => i));
  vi.runAllTimers();
  expect(batches.map(({ length }) => length)).toEqual([1, 9999]);
});

test('passes on waiting inserts on request, and leaves nothing when it ends', () => {
  add(1, 2);
  inserts.flush();
  inserts.flush();
  expect(batches).toEqual([[1], [2]]);
  add(3);
  inserts.end();
  expect([batches.at(-1), vi.getTimerCount()]).toEqual([[3], 0]);
});
