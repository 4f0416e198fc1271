import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareReadings, type Reading } from '../../app/readings/reading';
import type { ReadingStore } from '../../app/store/reading-store';

/** An opened store under test; it may hold readings already, and others may not write to it. */
export interface StoreUnderTest {
  store: ReadingStore;
  close(): Promise<void>;
}

const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function readAll(pages: AsyncIterable<Reading[]>): Promise<Reading[]> {
  const all: Reading[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/**
 * What every `ReadingStore` does, whatever is behind it.
 *
 * @param many how many readings the paging is tried with: more than an answer of the store can hold
 */
export function storeContract(open: () => Promise<StoreUnderTest>, many = 2100): void {
  let store: ReadingStore;
  let close: () => Promise<void>;
  /** What was there before, and each reading as the store said that it was stored. */
  let known: Reading[];

  beforeAll(async () => {
    ({ store, close } = await open());
    known = await readAll(store.read({}));
  });

  afterAll(async () => {
    await store.close();
    await close();
  });

  async function insert(co2: number, voc: number): Promise<Reading> {
    const stored = await store.insert({ co2, voc });
    known.push(stored);
    return stored;
  }

  test('a stored reading has an id of its own, its values as numbers, and its time in UTC to the millisecond', async () => {
    const before = Date.now();
    const first = await insert(415.1, 80);
    const second = await insert(-3, 0.25);
    expect(first).toMatchObject({ co2: 415.1, voc: 80 });
    expect(second).toMatchObject({ co2: -3, voc: 0.25 });
    expect(second.id).toBeGreaterThan(first.id);
    for (const { created_at } of [first, second]) {
      expect(created_at).toMatch(MILLISECONDS);
      expect(Math.abs(Date.parse(created_at) - before)).toBeLessThan(60_000);
    }
  });

  test('a reading is read as it was when it was stored', async () => {
    const stored = await insert(1234.5, 0);
    expect(await store.newest(1)).toEqual([stored]);
  });

  test('every number that JSON can hold comes back as it went', async () => {
    for (const value of [
      1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 0.1, 1e21, 123456789.123456,
    ]) {
      expect(await insert(value, -value)).toMatchObject({ co2: value, voc: -value });
    }
    expect(await store.newest(6)).toEqual(known.slice(-6));
  });

  test('readings that are stored at once are all stored, each once', async () => {
    const stored = await Promise.all(Array.from({ length: 25 }, (_, i) => store.insert({ co2: i, voc: i })));
    known.push(...stored);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(25);
    expect(stored.map(({ co2 }) => co2)).toEqual(Array.from({ length: 25 }, (_, i) => i));
  });

  test('the newest are the last in time, oldest first, and no more than were asked for', async () => {
    known.sort(compareReadings);
    expect(await store.newest(10)).toEqual(known.slice(-10));
    expect(await store.newest(1)).toEqual(known.slice(-1));
  });

  test('with an id, only what came after it is read, the newest of it', async () => {
    const after = (known.at(-8) as Reading).id;
    const later = known.filter(({ id }) => id > after);
    expect(await store.newest(100, after)).toEqual(later);
    expect(await store.newest(3, after)).toEqual(later.slice(-3));
    expect(await readAll(store.read({ after }))).toEqual(later);
    expect(await readAll(store.read({ after, limit: 2 }))).toEqual(later.slice(-2));
    expect(await store.newest(10, Math.max(...known.map(({ id }) => id)))).toEqual([]);
  });

  test(`${many} readings and more are read completely, in order, each once`, async () => {
    while (known.length < many) {
      const batch = Math.min(50, many - known.length);
      known.push(
        ...(await Promise.all(Array.from({ length: batch }, (_, i) => store.insert({ co2: i, voc: 1 })))),
      );
    }
    known.sort(compareReadings);
    expect(await store.newest(known.length)).toEqual(known);
    expect(await store.newest(known.length - 1)).toEqual(known.slice(1));
    const all = await readAll(store.read({}));
    expect(all.toSorted(compareReadings)).toEqual(known);
    expect(await readAll(store.read({ after: 0 }))).toHaveLength(known.length);
    expect(await readAll(store.read({ limit: 5761 }))).toHaveLength(Math.min(5761, known.length));
  });

  test('readings are counted, no further than asked', async () => {
    expect(await store.count(10)).toBe(10);
    expect(await store.count(known.length)).toBe(known.length);
    expect(await store.count(known.length + 1)).toBe(known.length);
    expect(await store.count(known.length + 5000)).toBe(known.length);
  });

  test('reports no inserts to a listener that has unsubscribed', async () => {
    const heard: Reading[] = [];
    const unsubscribe = store.inserts?.subscribe((reading) => heard.push(reading));
    unsubscribe?.();
    await insert(1, 1);
    expect(heard).toEqual([]);
  });
}
