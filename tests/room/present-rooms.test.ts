import { afterAll, expect, test } from 'vitest';
import { singleton } from '../../app/config/singleton.server';
import { presentRooms } from '../../app/room/present-rooms.server';
import type { ReadingStore } from '../../app/store/reading-store';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { THRESHOLDS } from '../support/readings/readings';
import { temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

const store = openSqliteStore(`${temporaryFolder()}/readings.db`, THRESHOLDS);
let reads = 0;
const counted: ReadingStore = {
  ...store,
  averages(query) {
    reads += 1;
    return store.averages(query);
  },
};
const opened = singleton<{ store: ReadingStore | null }>('store', () => ({ store: null }));
opened.store = counted;

afterAll(async () => {
  opened.store = null;
  singleton('room-lines', () => new Map()).clear();
  await store.close();
});

const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const MINUTE = 60_000;

async function lineAt(now: number) {
  const [room] = await presentRooms(counted, {}, now);
  return room?.line.filter((average) => average !== null);
}

test('the line of a room is shown once more after a minute while it is read, and never after a step', async () => {
  const post = (co2: number, at: number) =>
    store.insert({ sensor: 'Kitchen', co2, voc: null, created_at: new Date(at).toISOString() });
  await post(600, NOW - 40 * MINUTE);
  expect(await lineAt(NOW)).toEqual([600]);
  await post(700, NOW - 20 * MINUTE);
  expect(await lineAt(NOW + 0.9 * MINUTE)).toEqual([600]);
  expect(reads).toBe(1);

  expect(await Promise.all([lineAt(NOW + MINUTE), lineAt(NOW + MINUTE)])).toEqual([[600], [600]]);
  await until(async () => (await lineAt(NOW + MINUTE))?.length === 2);
  expect(reads).toBe(2);

  await post(800, NOW);
  expect(await lineAt(NOW + 17 * MINUTE)).toEqual([600, 700, 800]);
});
