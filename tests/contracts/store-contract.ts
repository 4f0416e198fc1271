import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byMetric } from '../../app/readings/metric';
import { compareReadings, type Reading, type ReadingInput } from '../../app/readings/reading';
import { BATCH_READINGS, type InsertResult, type ReadingStore } from '../../app/store/reading-store';
import { historyContract } from './history-contract';
import { insertContract } from './insert-contract';
import { queryContract } from './query-contract';

/** An open store under test. It may hold readings already, but nobody else may write to it. */
export interface StoreUnderTest {
  store: ReadingStore;
  /** Stops the store's back end, such as its server. */
  close(): Promise<void>;
}

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z$/;

async function readAll(pages: AsyncIterable<Reading[]>): Promise<Reading[]> {
  const all: Reading[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/**
 * Declares the tests of every `ReadingStore`. They share one store, and each inserts the readings that it needs.
 *
 * @param many number of readings for the paging test; more than one response of the store can hold
 * @param queries number of random queries
 */
export function storeContract(open: () => Promise<StoreUnderTest>, many = 2100, queries = 60): void {
  let store: ReadingStore;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ store, close } = await open());
  });

  afterAll(async () => {
    await store.close();
    await close();
  });

  const insert = async (input: ReadingInput): Promise<Reading> => (await store.insert(input)).reading;

  const insertAtOnce = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => insert({ co2: i, voc: 10 * i })));

  async function insertInTurn(count: number): Promise<Reading[]> {
    const stored: Reading[] = [];
    for (let i = 0; i < count; i++) stored.push(await insert({ co2: i, voc: 10 * i }));
    return stored;
  }

  test('gives a stored reading a new id, its values as numbers and its time in UTC', async () => {
    const before = Date.now();
    const first = await insert({ co2: 415.1, voc: 80 });
    const second = await insert({ co2: -3, voc: 0.25 });
    expect(first).toMatchObject({ co2: 415.1, voc: 80 });
    expect(second).toMatchObject({ co2: -3, voc: 0.25 });
    expect(second.id).toBeGreaterThan(first.id);
    for (const { created_at } of [first, second]) {
      expect(created_at).toMatch(UTC_TIME);
      expect(Math.abs(Date.parse(created_at) - before)).toBeLessThan(60_000);
    }
  });

  test('returns a reading as stored', async () => {
    const stored = await insert({ co2: 1234.5, voc: 0 });
    expect(await store.newest(1)).toEqual([stored]);
  });

  test.each([1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 0.1, 1e21, 123456789.123456])(
    'stores and returns %d exactly',
    async (value) => {
      const values = byMetric(({ field }) => (field === 'voc' ? -value : value));
      const stored = await insert(values);
      expect(stored).toMatchObject(values);
      expect(await store.newest(1)).toEqual([stored]);
    },
  );

  test('stores each of 25 concurrent inserts once', async () => {
    const stored = await insertAtOnce(25);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(25);
    expect(stored.map(({ co2 }) => co2)).toEqual(Array.from({ length: 25 }, (_, i) => i));
    const newest = await store.newest(25);
    expect(newest).toEqual(stored.toSorted(compareReadings));
  });

  test('newest: returns the last in time, oldest first, up to the maximum', async () => {
    const stored = await insertInTurn(12);
    expect(await store.newest(10)).toEqual(stored.slice(-10));
    expect(await store.newest(1)).toEqual(stored.slice(-1));
  });

  test('after: returns readings with a higher id, or the newest of them with a maximum', async () => {
    const [first, ...later] = await insertInTurn(8);
    const { id: after } = first as Reading;
    expect(await store.newest(100, { after })).toEqual(later);
    expect(await store.newest(3, { after })).toEqual(later.slice(-3));
    expect(await readAll(store.read({ after }))).toEqual(later);
    expect(await readAll(store.read({ after, limit: 2 }))).toEqual(later.slice(-2));
    expect(await store.newest(10, { after: later.at(-1)?.id })).toEqual([]);
  });

  test(`reads all of ${many} readings, in order and each once`, async () => {
    const known = await readAll(store.read({}));
    const missing = Array.from({ length: many - known.length }, (_, i) => ({ co2: i, voc: 10 * i }));
    for (let i = 0; i < missing.length; i += BATCH_READINGS) {
      for (const result of await store.insertAll(missing.slice(i, i + BATCH_READINGS)))
        known.push((result as InsertResult).reading);
    }
    known.sort(compareReadings);
    expect(await store.newest(known.length)).toEqual(known);
    expect(await store.newest(known.length - 1)).toEqual(known.slice(1));
    const all = await readAll(store.read({}));
    expect(all.toSorted(compareReadings)).toEqual(known);
    expect(await readAll(store.read({ after: 0 }))).toHaveLength(known.length);
    expect(await readAll(store.read({ limit: 5761 }))).toHaveLength(Math.min(5761, known.length));
  });

  test('counts readings, up to the given maximum', async () => {
    await insertAtOnce(11);
    const total = (await readAll(store.read({}))).length;
    expect(await store.count(10)).toBe(10);
    expect(await store.count(total)).toBe(total);
    expect(await store.count(total + 1)).toBe(total);
    expect(await store.count(total + 5000)).toBe(total);
  });

  test('knows the measured metrics of a sensor, and of all sensors', async () => {
    const created_at = '2026-01-02T10:00:00.000Z';
    await store.insertAll([
      { co2: 400, voc: null, created_at, sensor: 'few metrics' },
      { co2: null, voc: null, temperature: 0, created_at, sensor: 'a temperature' },
    ]);
    const others = async (sensor?: string) =>
      (await store.measured(sensor)).filter((field) => field !== 'co2' && field !== 'voc');
    expect(await others('few metrics')).toEqual([]);
    expect(await others('a temperature')).toEqual(['temperature']);
    expect(await others('no such sensor')).toEqual([]);
    expect(await others()).toContain('temperature');
  });

  describe('inserts', () => insertContract(() => store));
  describe('history', () => historyContract(() => store));
  describe('queries', () => queryContract(() => store, queries));

  test('reports no inserts to an unsubscribed listener', async () => {
    const reported: Reading[] = [];
    const unsubscribe = store.inserts?.subscribe((reading) => reported.push(reading));
    unsubscribe?.();
    await insert({ co2: 1, voc: 1 });
    expect(reported).toEqual([]);
  });

  test('changes its version, if any, with every insert', async () => {
    const before = await store.version?.();
    await insert({ co2: 1, voc: 1 });
    const after = await store.version?.();
    expect(after === before).toBe(store.version === null);
    expect(await store.version?.()).toBe(after);
  });
}
