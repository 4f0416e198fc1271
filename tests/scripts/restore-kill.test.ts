import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { backUpDatabase } from '../../app/store/sqlite/file/sqlite-copy.server.js';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { seedDatabase } from '../support/readings/database';
import { temporaryFolder } from '../support/server/server';

/** Kills a restore before its change number `killAt`; without it, the restore ends. */
function restore(path: string, copy: string, env: Record<string, string>, killAt?: number) {
  const preload = new URL('../support/server/kill-between-steps.js', import.meta.url).href;
  return spawnSync(process.execPath, ['--import', preload, 'scripts/restore.js', copy], {
    env: { ...process.env, ...env, DATABASE_PATH: path, KILL_AT: String(killAt) },
    encoding: 'utf8',
  });
}

/** The values of all readings that a server would find. */
async function readingsIn(path: string): Promise<unknown[]> {
  const store = openSqliteStore(path);
  const readings = await store.newest(100_000);
  await store.close();
  return readings.map(({ co2 }) => co2);
}

/** Copies the files of a server that was killed, with a log and without a checkpoint, to a new folder. */
function crashedCopy(running: string): string {
  const path = join(temporaryFolder(), 'readings.db');
  for (const suffix of ['', '-wal', '.lock']) copyFileSync(running + suffix, path + suffix);
  return path;
}

async function filesForRestore() {
  const running = join(temporaryFolder(), 'running.db');
  await seedDatabase(running, 250);
  const copy = join(temporaryFolder(), 'copy.db');
  backUpDatabase(running, copy);
  const store = openSqliteStore(running);
  for (let i = 0; i < 20; i++) await store.insert({ co2: i, voc: i });
  return { running, copy, store, old: await readingsOf(store), restored: await readingsIn(copy) };
}

const readingsOf = async (store: ReturnType<typeof openSqliteStore>) =>
  (await store.newest(100_000)).map(({ co2 }) => co2);

test.each([
  ['with hard links', {}],
  ['without hard links', { NO_LINKS: '1' }],
])(
  'a restore killed between any two steps leaves the whole old or new database, %s',
  async (_, env) => {
    const { running, copy, store, old, restored } = await filesForRestore();
    expect([old.length, restored.length]).toEqual([270, 250]);
    const found: string[] = [];
    for (let killAt = 1; ; killAt++) {
      const path = crashedCopy(running);
      const { signal, status, stderr } = restore(path, copy, env as Record<string, string>, killAt);
      if (signal === null) {
        expect([status, stderr]).toEqual([0, '']);
        break;
      }
      const readings = await readingsIn(path);
      found.push(readings.length === 270 ? 'old' : 'new');
      expect(readings).toEqual(found.at(-1) === 'old' ? old : restored);
      // The server and another restore go on, and nothing is left but the database and the former ones.
      expect(restore(path, copy, env as Record<string, string>)).toMatchObject({ status: 0 });
      expect(await readingsIn(path)).toEqual(restored);
      const kept = readdirSync(dirname(path)).filter((name) => /Z$/.test(name));
      expect(await readingsIn(join(dirname(path), kept.at(-1) as string))).toHaveLength(readings.length);
    }
    await store.close();
    expect(found[0]).toBe('old');
    expect(found.at(-1)).toBe('new');
    expect(found).toEqual([...found].sort().reverse());
  },
  90_000,
);

const DAMAGED = 'not a database'.repeat(1000);

test('a restore over an overwritten database with a log leaves both as they are until it is done', async () => {
  const { running, copy, store, restored } = await filesForRestore();
  let restarts = 0;
  for (let killAt = 1; ; killAt++) {
    const path = crashedCopy(running);
    writeFileSync(path, DAMAGED);
    const files = ['', '-wal'].map((suffix) => readFileSync(path + suffix));
    if (restore(path, copy, {}, killAt).signal === null) {
      const kept = readdirSync(dirname(path)).filter((name) => /Z(-wal)?$/.test(name));
      expect(kept.map((name) => readFileSync(join(dirname(path), name)))).toEqual(files);
      expect(await readingsIn(path)).toEqual(restored);
      break;
    }
    if (readFileSync(path, 'utf8') !== DAMAGED) {
      expect(await readingsIn(path)).toEqual(restored);
      restarts += 1;
    } else expect(['', '-wal'].map((suffix) => readFileSync(path + suffix))).toEqual(files);
  }
  await store.close();
  expect(restarts).toBeGreaterThan(0);
}, 90_000);
