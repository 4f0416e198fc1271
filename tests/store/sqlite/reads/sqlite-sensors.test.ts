import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { MAX_SENSORS, newestFirst } from '../../../../app/readings/known-sensors';
import { compareReadings } from '../../../../app/readings/reading';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { seededRandom } from '../../../../scripts/seed/seeded-random.js';
import { temporaryFolder } from '../../../support/server/server';
import { processorMs } from '../../../support/server/vitals';
import { SEED } from '../../../support/size';

const START_MS = Date.UTC(2026, 0);
const SENSORS = 3 * MAX_SENSORS;

test('after random inserts, the list of the sensors with the last readings equals a search of all readings', async () => {
  const random = seededRandom(SEED);
  const path = join(temporaryFolder(), 'readings.db');
  const store = openSqliteStore(path);
  const other = new Database(path);
  const name = () => `sensor ${Math.floor(random() * SENSORS)}`;
  for (let round = 0; round < 60; round++) {
    // Half of the readings are late, and silent sensors return.
    const batch = Array.from({ length: 1 + Math.floor(random() * 30) }, () => ({
      co2: round,
      voc: null,
      sensor: name(),
      created_at: new Date(START_MS + (round - random() * 40) * 60_000).toISOString(),
    }));
    const inserted = store.insertAll(batch);
    // Reads the first list while readings are stored.
    if (round === 20) await Promise.all([store.lastHeard(), inserted]);
    await inserted;
    if (round === 40) other.exec('delete from data where id % 3 = 0');
    if (round < 20) continue;
    const shown = name();
    const sensors = (await store.sensors()).sort((a, b) => compareReadings(b.newest, a.newest));
    expect(await store.lastHeard(shown), `round ${round}`).toEqual(newestFirst(sensors, shown));
    expect(await store.lastHeard(), `round ${round}`).toEqual(sensors.slice(0, MAX_SENSORS));
  }
  expect(await store.lastHeard('nobody')).toHaveLength(MAX_SENSORS);
  other.close();
  await store.close();
});

test('listing the sensors with the last readings takes less than a fifth of the time of listing all sensors', async () => {
  const store = openSqliteStore(join(temporaryFolder(), 'readings.db'));
  const insert = (from: number) =>
    store.insertAll(
      Array.from({ length: 500 }, (_, i) => ({ co2: 1, voc: 1, sensor: `sensor ${from + i}` })),
    );
  const millisecondsOf = async (count: number) => {
    let takenMs = 0;
    for (let i = 0; i < count; i++) {
      await store.insert({ co2: 1, voc: 1, sensor: `sensor ${i}` });
      const begun = processorMs();
      await store.lastHeard();
      takenMs += processorMs() - begun;
    }
    return takenMs / count;
  };
  for (let from = 0; from < 10_000; from += 500) await insert(from);
  await store.lastHeard();
  const begun = processorMs();
  await store.sensors();
  const allMs = processorMs() - begun;
  expect(await millisecondsOf(20)).toBeLessThan(allMs / 5);
  await store.close();
});
