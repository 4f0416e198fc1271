import { openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { runSql, seedDatabase } from '../../../support/readings/database';
import { temporaryFolder } from '../../../support/server/server';
import { until } from '../../../support/until';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const newFile = () => join(temporaryFolder(), 'readings.db');

/** Returns the file offset of a page of readings that a start doesn't read. */
function oldReadingsOffset(path: string): number {
  const database = new Database(path);
  const page =
    "select pgoffset from dbstat where name = 'data' and pagetype = 'leaf' order by pageno limit 1 offset 9";
  const [offset] = database.prepare(page).raw().get() as [number];
  database.close();
  return offset;
}

const REFUSE_INSERTS = `create trigger refuse before insert on data begin select raise(abort, 'refused'); end`;

test('is unhealthy, with the reason, while inserts fail, and healthy again without another insert', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const path = newFile();
  const store = openSqliteStore(path);
  await store.checkHealth();
  runSql(path, REFUSE_INSERTS);
  await expect(store.insert({ co2: 1, voc: 1 })).rejects.toThrow('refused');
  await expect(store.checkHealth()).rejects.toThrow('refused');
  vi.advanceTimersByTime(1001);
  await expect(store.checkHealth()).rejects.toThrow('refused');
  runSql(path, 'drop trigger refuse');
  vi.advanceTimersByTime(1001);
  await store.checkHealth();
  await store.close();
});

test('notices within 10 s that writes fail, without inserts and without storing anything', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const path = newFile();
  const store = openSqliteStore(path);
  const { reading: first } = await store.insert({ co2: 1, voc: 1 });
  vi.advanceTimersByTime(10_001);
  await store.checkHealth();
  const { reading: second } = await store.insert({ co2: 2, voc: 2 });
  expect(second.id).toBe(first.id + 1);
  expect(await store.newest(10)).toEqual([first, second]);
  runSql(path, REFUSE_INSERTS);
  vi.advanceTimersByTime(10_001);
  await expect(store.checkHealth()).rejects.toThrow('refused');
  await store.close();
});

test('a trial write writes as much as an insert', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  // In the first minutes of a day, an insert writes one page more.
  vi.setSystemTime(new Date().setUTCHours(12, 0, 0, 0));
  const path = newFile();
  await seedDatabase(path, 1000);
  const store = openSqliteStore(path);
  const logSize = () => statSync(`${path}-wal`).size;
  // The first insert after many rows may split pages.
  await store.insert({ co2: 1, voc: 1 });
  const sizes = [logSize()];
  await store.insert({ co2: 1, voc: 1 });
  sizes.push(logSize());
  vi.advanceTimersByTime(10_001);
  await store.checkHealth();
  sizes.push(logSize());
  const [opened, inserted, attempted] = sizes as [number, number, number];
  expect(attempted - inserted).toBeGreaterThanOrEqual(inserted - opened);
  await store.close();
});

test('does not open a file that refuses inserts', async () => {
  const path = newFile();
  await seedDatabase(path, 1);
  runSql(path, REFUSE_INSERTS);
  expect(() => openSqliteStore(path)).toThrow(`can't keep readings in ${path}: refused`);
});

test('reports a damaged page of old readings, and keeps storing', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const path = newFile();
  await seedDatabase(path, 5000);
  // Closing moves every page from the write-ahead log into the file.
  await openSqliteStore(path).close();
  const offset = oldReadingsOffset(path);
  writeSync(openSync(path, 'r+'), Buffer.alloc(4096, 7), 0, 4096, offset);
  const store = openSqliteStore(path);
  await until(() => logged.mock.calls.length > 0);
  await expect(store.checkHealth()).rejects.toThrow(/The database is damaged \(.+\)\. Stop the server/);
  expect(logged.mock.calls).toEqual([[expect.stringContaining(`${path}: The database is damaged`)]]);
  await store.insert({ co2: 1, voc: 1 });
  await expect(store.checkHealth()).rejects.toThrow('damaged');
  await store.close();
});

test('a store closed during the file check leaves nothing in the write-ahead log', async () => {
  const path = newFile();
  await seedDatabase(path, 1_000_000);
  const store = openSqliteStore(path);
  await store.insert({ co2: 1, voc: 1 });
  const other = new Database(path);
  // The check holds a read transaction, which prevents a checkpoint.
  const isRead = () => (other.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])[0]?.busy === 1;
  await until(isRead);
  await store.insert({ co2: 2, voc: 2 });
  const closed = store.close();
  other.close();
  await closed;
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});
