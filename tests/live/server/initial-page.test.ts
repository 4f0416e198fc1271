import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { initialReadings, noReadings } from '../../../app/live/server/initial-page.server';
import type { ReadingInput } from '../../../app/readings/reading';
import { type ReadingStore, StoreUnavailableError } from '../../../app/store/reading-store';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';
import { seedDatabase } from '../../support/readings/database';
import { temporaryFolder } from '../../support/server/server';

let store: ReadingStore;
let path: string;
beforeEach(() => {
  path = join(temporaryFolder(), 'readings.db');
  store = openSqliteStore(path);
});
afterEach(() => store.close());

/** Stores readings of these sensors one after another. The empty name is the unnamed sensor. */
async function storeFrom(...sensors: string[]): Promise<void> {
  for (const sensor of sensors) await store.insert({ co2: 500, voc: 10, ...(sensor && { sensor }) });
}

/** Stores a reading that was measured an hour ago. */
const storeLate = (values: Partial<ReadingInput>) =>
  store.insert({ co2: 1, voc: 1, created_at: new Date(Date.now() - 3_600_000).toISOString(), ...values });

test('a page gets the readings stored last, even if readings from the future fill its capacity', async () => {
  await store.close();
  await seedDatabase(path, 50, { endMs: -86_400_000 });
  store = openSqliteStore(path);
  const stored = [await store.insert({ co2: 1600, voc: 1 }), await store.insert({ co2: 1601, voc: 1 })];
  const { initial } = await initialReadings(store, 5760);
  expect(initial.readings.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, i) => i + 11));
  expect(initial.lastStored).toEqual(stored.map(({ reading }) => reading));
  expect(initial.newestId).toBe(52);
  const empty = (await noReadings(store)).initial;
  expect(empty).toMatchObject({ readings: [], lastStored: [], newestId: 52 });
});

const ids = (initial: { readings: { id: number }[] }) => initial.readings.map(({ id }) => id);

test('a page of the only, unnamed sensor gets its readings', async () => {
  await storeFrom('', '', '');
  const { initial, problem } = await initialReadings(store, 2);
  expect([ids(initial), problem]).toEqual([[2, 3], null]);
  expect(initial).toMatchObject({ sensor: '', isChosen: false, count: 2, newestId: 3 });
  expect(initial.sensors).toMatchObject([{ name: '', newest: { id: 3 } }]);
});

test('a page of an empty store has no sensor, and knows that there is no reading', async () => {
  const { initial } = await initialReadings(store, 10);
  expect(initial).toMatchObject({ sensor: '', sensors: [], readings: [], count: 0, newestId: 0 });
});

test.each([
  ['the first by name', {}, 'Bedroom', [1, 3]],
  ['the one that the browser showed last', { remembered: 'Bedroom' }, 'Bedroom', [1, 3]],
  ['the unnamed one, which the browser showed last', { remembered: '' }, '', [4]],
  ['the first by name, if the remembered one is unknown', { remembered: 'Attic' }, 'Bedroom', [1, 3]],
  ['the one in the address', { chosen: 'Bedroom' }, 'Bedroom', [1, 3]],
  ['the unnamed one, in the address', { chosen: '' }, '', [4]],
  ['the one in the address, known or not', { chosen: 'Attic' }, 'Attic', []],
])('with several sensors, a page shows %s', async (_, asked, sensor, expected) => {
  await storeFrom('Bedroom', 'Kitchen', 'Bedroom', '', 'Kitchen');
  const { initial } = await initialReadings(store, 5760, asked);
  expect([initial.sensor, ids(initial), initial.count]).toEqual([sensor, expected, expected.length]);
  expect(initial.sensors.map(({ name }) => name)).toEqual(['Kitchen', '', 'Bedroom']);
  expect(initial).toMatchObject({ newestId: 5, isChosen: 'chosen' in asked });
  expect((await noReadings(store, asked)).initial).toMatchObject({
    sensor,
    readings: [],
    count: 0,
    newestId: 5,
  });
});

test.each([
  [['Zimmer', '', 'attic', 'Bedroom'], 'Bedroom'],
  [['', 'Zimmer'], 'Zimmer'],
  [['', ''], ''],
])('of the sensors %j, whichever posts last, a page shows %s', async (sensors, expected) => {
  for (const last of sensors) {
    await storeFrom(...sensors, last);
    expect((await initialReadings(store, 10)).initial.sensor).toBe(expected);
  }
});

test('a late reading is not the newest of its sensor, but has the highest id', async () => {
  await storeFrom('Kitchen', '');
  await storeLate({ sensor: 'Kitchen' });
  const { initial } = await initialReadings(store, 5760, { chosen: 'Kitchen' });
  expect([ids(initial), initial.newestId]).toEqual([[3, 1], 3]);
  expect(initial.sensors.map(({ newest }) => newest.id)).toEqual([2, 1]);
});

test('queries the store once if the request names the sensor, and twice if it has to choose', async () => {
  await storeFrom('Kitchen', '');
  let asking = 0;
  let rounds = 0;
  const counted = new Proxy(store, {
    get(target, name) {
      const method = target[name as keyof ReadingStore];
      if (typeof method !== 'function') return method;
      return async (...given: never[]) => {
        if (asking++ === 0) rounds++;
        await new Promise((resolve) => setImmediate(resolve));
        asking--;
        return (method as (...args: never[]) => unknown)(...given);
      };
    },
  });
  await initialReadings(counted, 5760, { chosen: 'Kitchen' });
  await initialReadings(counted, 5760, { remembered: '' });
  expect(rounds).toBe(2);
  await initialReadings(counted, 5760);
  expect(rounds).toBe(4);
});

test('without the store, a page remembers the requested sensor', async () => {
  const failing = { ...store, lastHeard: () => Promise.reject(new StoreUnavailableError('no store')) };
  const { initial, problem } = await initialReadings(failing, 10, { remembered: 'Kitchen' });
  expect(problem).toBe('no store');
  expect(initial).toMatchObject({ sensor: 'Kitchen', sensors: [], newestId: null, isChosen: false });
});
