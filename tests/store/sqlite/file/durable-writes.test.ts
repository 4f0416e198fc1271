import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReadingStore } from '../../../../app/store/reading-store';
import { backUpDatabase } from '../../../../app/store/sqlite/file/sqlite-copy.server.js';
import { openSqliteStore } from '../../../../app/store/sqlite/sqlite-store.server';
import { temporaryFolder } from '../../../support/server/server';
import { until } from '../../../support/until';

let path: string;
let store: ReadingStore;

beforeEach(async () => {
  path = join(temporaryFolder(), 'readings.db');
  store = openSqliteStore(path);
  await store.insert({ co2: 1, voc: 1 });
  // The first read opens the reading connection.
  expect(await store.newest(1)).toHaveLength(1);
});

afterEach(() => store.close());

const MOVE_BACK = 'Nothing is stored now: move the original back, or restart the server.';

async function expectFailure(reason: string): Promise<void> {
  await expect(store.insert({ co2: 2, voc: 2 })).rejects.toThrow(reason);
  await expect(store.checkHealth()).rejects.toThrow(reason);
  expect(await store.newest(10)).toHaveLength(1);
}

test('stores nothing in a deleted file, and says that it was deleted', async () => {
  rmSync(path);
  await expectFailure(`readings.db was deleted while the server was using it. ${MOVE_BACK}`);
});

test('stores nothing in a replaced file, and says that it was replaced', async () => {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  await expectFailure(`readings.db was replaced while the server was using it. ${MOVE_BACK}`);
});

test.each([
  ['another database', (backup: string) => copyFileSync(backup, path)],
  ['nothing', () => writeFileSync(path, '')],
])(
  'stores nothing in a file overwritten with %s, and leaves the new content unchanged',
  async (_, overwrite) => {
    const backup = `${path}.backup`;
    backUpDatabase(path, backup);
    overwrite(backup);
    const content = readFileSync(path);
    await expect(store.insert({ co2: 2, voc: 2 })).rejects.toThrow(
      'readings.db was overwritten while the server was using it. Nothing is stored now: restart the server.',
    );
    await expect(store.checkHealth()).rejects.toThrow('readings.db was overwritten');
    await store.close();
    expect(readFileSync(path)).toEqual(content);
    store = openSqliteStore(`${path}.next`);
  },
);

test('stores nothing if the write-ahead log was deleted, and says so', async () => {
  rmSync(`${path}-wal`);
  await expectFailure('readings.db-wal was deleted while the server was using it.');
});

test('stores again once the file is back', async () => {
  renameSync(path, `${path}.moved`);
  await expectFailure('readings.db was deleted');
  renameSync(`${path}.moved`, path);
  await until(() =>
    store.checkHealth().then(
      () => true,
      () => false,
    ),
  );
  await store.insert({ co2: 2, voc: 2 });
  expect(await store.newest(10)).toHaveLength(2);
});
