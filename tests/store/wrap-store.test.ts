import { expect, test } from 'vitest';
import type { ReadingStore } from '../../app/store/reading-store';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { stoppableStore } from '../../app/store/wrap-store.server';
import { seedDatabase } from '../support/readings/database';
import { temporaryFolder } from '../support/server/server';

test('after its signal is aborted, a read stops after the current page, and no other read starts', async () => {
  const path = `${temporaryFolder()}/readings.db`;
  await seedDatabase(path, 3000);
  const opened = openSqliteStore(path);
  const leaving = new AbortController();
  const store = stoppableStore(opened, leaving.signal);
  let pages = 0;
  const reading = async () => {
    for await (const _ of store.read({})) {
      pages += 1;
      leaving.abort();
    }
  };
  await expect(reading()).rejects.toThrow('aborted');
  expect(pages).toBe(1);
  await expect(store.newest(10)).rejects.toThrow('aborted');
  await expect(store.sensors()).rejects.toThrow('aborted');
  await expect(store.notes.list({})).rejects.toThrow('aborted');
  await expect(store.room.days({ sensor: '', from: 0, to: 1 })).rejects.toThrow('aborted');
  expect(await opened.newest(10)).toHaveLength(10);
  await opened.close();
});

test('a method that only one store has is a read, which gets the signal and ends with it', async () => {
  const opened = openSqliteStore(`${temporaryFolder()}/readings.db`);
  const medians = async (query: object) => query;
  const leaving = new AbortController();
  const { signal } = leaving;
  const store = stoppableStore({ ...opened, medians } as ReadingStore, signal) as ReadingStore & {
    medians: typeof medians;
  };
  expect(await store.medians({ sensor: '' })).toEqual({ sensor: '', signal });
  leaving.abort();
  await expect(store.medians({})).rejects.toThrow('aborted');
  // Writes go on.
  await store.insert({ co2: 1, voc: 2 });
  expect(await opened.count(10)).toBe(1);
  await opened.close();
});
