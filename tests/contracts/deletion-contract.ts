import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { DEFAULT_SETTINGS } from '../../app/readings/sensor-settings';
import type { NewDeletion } from '../../app/store/deletion-store';
import type { ReadingStore } from '../../app/store/reading-store';
import type { SettingsStoreUnderTest } from './settings-contract';

const timeOf = (second: number) => new Date(Date.UTC(2026, 0, 2, 10) + second * 1000).toISOString();

const SPAN = {
  from: Date.UTC(2026, 0, 2) / 1000,
  to: Date.UTC(2026, 0, 3) / 1000,
  step: 86_400,
  thresholds: { co2: { good: 1000, moderate: 2000 }, voc: { good: 400, moderate: 800 } },
};

/** Declares the tests of every `DeletionStore` that may delete readings. */
export function deletionContract(open: () => Promise<SettingsStoreUnderTest>): void {
  let under: SettingsStoreUnderTest;
  let store: ReadingStore;

  beforeAll(async () => {
    under = await open();
    store = under.store;
  });

  afterAll(() => under.close());

  /** Begins the names of a test's sensors and deletions, so that the tests can share a store. */
  let prefix = 0;

  beforeEach(() => {
    prefix += 1;
  });

  const full = (name: string) => `${prefix} ${name}`;

  async function post(sensor: string, count: number, values: object = {}): Promise<Reading[]> {
    const stored: Reading[] = [];
    for (let first = 0; first < count; first += 500) {
      const readings = Array.from({ length: Math.min(500, count - first) }, (_, i) => ({
        ...{ sensor: full(sensor), co2: 500 + first + i, voc: null, temperature: 20.5, ...values },
        created_at: timeOf(first + i),
      }));
      for (const result of await store.insertAll(readings)) {
        if (!('outcome' in result) || result.outcome !== 'stored') throw new Error(JSON.stringify(result));
        stored.push(result.reading);
      }
    }
    return stored;
  }

  const remove = (sensor: string, query: Partial<NewDeletion> = {}, until = '2099-01-01T00:00:00.000Z') =>
    store.deletions.remove({ restore: full('deletion'), until, ...query, sensor: full(sensor) });
  const restore = () => store.deletions.restore(full('deletion'));
  const list = (sensor: string) => store.deletions.list(full(sensor));
  const newest = (sensor: string) => store.newest(10_000, { sensor: full(sensor) });
  const names = async () => (await store.sensors()).map(({ name }) => name);

  /** Returns the history of a sensor's day. */
  async function dayOf(sensor: string) {
    for await (const [day] of store.rollUps({ ...SPAN, sensor: full(sensor) })) if (day) return day;
    return null;
  }

  test('a span is deleted from readings and history, and comes back as it was', async () => {
    const stored = await post('Bedroom', 20);
    const before = await dayOf('Bedroom');
    expect(await remove('Bedroom', { from: timeOf(5), to: timeOf(8) })).toBe(3);
    expect(await newest('Bedroom')).toEqual([...stored.slice(0, 5), ...stored.slice(8)]);
    expect(await store.count(100, full('Bedroom'))).toBe(17);
    expect(await dayOf('Bedroom')).toMatchObject({ readings: 17 });
    store = await under.reopen();
    expect(await list('Bedroom')).toEqual([
      {
        restore: full('deletion'),
        deleted: 3,
        from: timeOf(5),
        to: timeOf(7),
        until: '2099-01-01T00:00:00.000Z',
      },
    ]);
    expect(await restore()).toEqual({
      outcome: 'restored',
      sensor: full('Bedroom'),
      restored: 3,
      conflicts: 0,
    });
    expect(await newest('Bedroom')).toEqual(stored);
    expect(await store.count(100, full('Bedroom'))).toBe(20);
    expect(await dayOf('Bedroom')).toEqual(before);
    expect(await list('Bedroom')).toEqual([]);
    expect(await restore()).toEqual({ outcome: 'unknown' });
  });

  test('one reading is deleted by its id, but not that of another sensor', async () => {
    const [own] = await post('A', 2);
    const [other] = await post('B', 2);
    expect(await remove('A', { id: other?.id })).toBe(0);
    expect(await list('A')).toEqual([]);
    expect(await remove('A', { id: own?.id })).toBe(1);
    expect(await newest('A')).toHaveLength(1);
    expect(await newest('B')).toHaveLength(2);
  });

  test('without its readings, a sensor is not listed, and it comes back with its settings', async () => {
    const stored = await post('Bedroom', 2200);
    const settings = { ...DEFAULT_SETTINGS, group: 'Home' };
    await store.settings.change({ sensor: full('Bedroom'), settings, isMerge: false });
    expect(await remove('Bedroom')).toBe(2200);
    expect(await names()).not.toContain(full('Bedroom'));
    expect((await store.lastHeard()).map(({ name }) => name)).not.toContain(full('Bedroom'));
    expect(await store.count(10, full('Bedroom'))).toBe(0);
    expect(await dayOf('Bedroom')).toBe(null);
    expect(await remove('Bedroom', { restore: full('other') })).toBe(null);
    expect(await restore()).toMatchObject({ restored: 2200, conflicts: 0 });
    expect(await newest('Bedroom')).toEqual(stored);
    expect(await names()).toContain(full('Bedroom'));
    expect((await store.settings.load()).settings.get(full('Bedroom'))).toEqual(settings);
    expect(await dayOf('Bedroom')).toMatchObject({ readings: 2200 });
  });

  test('readings come back to a sensor that was renamed meanwhile', async () => {
    const stored = await post('esp-1', 5);
    expect(await remove('esp-1', { to: timeOf(3) })).toBe(3);
    await store.settings.change({
      ...{ sensor: full('esp-1'), name: full('Bedroom'), settings: DEFAULT_SETTINGS, isMerge: false },
    });
    expect(await list('Bedroom')).toHaveLength(1);
    expect(await restore()).toMatchObject({ restored: 3, sensor: full('Bedroom') });
    expect(await newest('Bedroom')).toEqual(stored.map((one) => ({ ...one, sensor: full('Bedroom') })));
  });

  test('a reading whose time has another one by now stays deleted', async () => {
    await post('A', 3);
    await remove('A', { from: timeOf(1) });
    const other = { sensor: full('A'), co2: 1234, voc: null, created_at: timeOf(1) };
    await store.insert(other);
    expect(await restore()).toMatchObject({ restored: 1, conflicts: 1 });
    expect((await newest('A')).map(({ co2 }) => co2)).toEqual([500, 1234, 502]);
    expect(await list('A')).toMatchObject([{ deleted: 1, from: timeOf(1) }]);
  });

  test('after their time, readings are gone, and so are the settings of a sensor that has no others', async () => {
    await post('A', 1200);
    await post('B', 2);
    const settings = { ...DEFAULT_SETTINGS, group: 'Home' };
    for (const name of ['A', 'B'])
      await store.settings.change({ sensor: full(name), settings, isMerge: false });
    expect(await remove('A', {}, '2026-01-03T00:00:00.000Z')).toBe(1200);
    expect(await list('A')).toEqual([]);
    expect(await restore()).toEqual({ outcome: 'expired' });
    await store.deletions.giveUp();
    expect(await restore()).toEqual({ outcome: 'expired' });
    const kept = (await store.settings.load()).settings;
    expect([kept.has(full('A')), kept.has(full('B'))]).toEqual([false, true]);
    expect(await newest('B')).toHaveLength(2);
    await post('A', 1);
    expect(await newest('A')).toHaveLength(1);
  });
}
