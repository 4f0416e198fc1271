import { expect, test } from 'vitest';
import { stoppableStore } from '../../app/store/open-store.server';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
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
