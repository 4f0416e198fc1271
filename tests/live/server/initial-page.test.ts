import { join } from 'node:path';
import { expect, test } from 'vitest';
import { initialReadings, noReadings } from '../../../app/live/server/initial-page.server';
import { openSqliteStore } from '../../../app/store/sqlite/sqlite-store.server';
import { seedDatabase } from '../../support/database';
import { temporaryFolder } from '../../support/server';

test('a page gets the readings stored last, even if those from the future leave no room for them', async () => {
  const path = join(temporaryFolder(), 'readings.db');
  await seedDatabase(path, 50, { endMs: -86_400_000 });
  const store = openSqliteStore(path);
  const stored = [await store.insert({ co2: 1600, voc: 1 }), await store.insert({ co2: 1601, voc: 1 })];
  const { initial } = await initialReadings(store, 5760);
  expect(initial.readings.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, i) => i + 11));
  expect(initial.lastStored).toEqual(stored);
  expect(initial.newestId).toBe(52);
  const empty = (await noReadings(store)).initial;
  expect(empty).toMatchObject({ readings: [], lastStored: [], newestId: 52 });
  await store.close();
});
