import { spawnSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { expectProblem } from '../support/problem';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { until } from '../support/until';

/** A folder for a database whose disk a test can fill and empty while a server uses it. */
interface SmallDisk {
  databasePath: string;
  fill(server: RunningServer): void;
  makeRoom(server: RunningServer): void;
  remove(): void;
}

/** Uses a small file system if this process may mount one, otherwise a limit on the server's file size. */
const disk = mountedDisk() ?? limitedDisk();
afterAll(() => disk.remove());

function mountedDisk(): SmallDisk | null {
  const folder = temporaryFolder();
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) return null;
  const ballast = join(folder, 'ballast');
  return {
    databasePath: join(folder, 'readings.db'),
    fill() {
      try {
        for (let size = 64; ; size += 64) writeFileSync(ballast, Buffer.alloc(size * 1024));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
    },
    makeRoom: () => rmSync(ballast),
    remove: () => spawnSync('umount', ['-l', folder]),
  };
}

function limitedDisk(): SmallDisk {
  const databasePath = join(temporaryFolder(), 'readings.db');
  const limit = ({ pid }: RunningServer, bytes: number | 'unlimited') => {
    const { status, error } = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);
    if (status !== 0)
      throw new Error("Can't simulate a full disk: run as root on Linux, or install prlimit of util-linux.", {
        cause: error,
      });
  };
  return {
    databasePath,
    fill: (server) => limit(server, statSync(`${databasePath}-wal`).size),
    makeRoom: (server) => limit(server, 'unlimited'),
    remove() {},
  };
}

test('answers posts on a full disk with 503, keeps serving, and stores again once there is room', async () => {
  const server = await startServer({ databasePath: disk.databasePath });
  const before = await (await post(server.url, { co2: 1, voc: 1 })).json();
  disk.fill(server);

  const rejected = await until(async () => {
    const answer = await post(server.url, { co2: 2, voc: 2 });
    return answer.status !== 201 && answer;
  });
  const { detail } = await expectProblem(rejected, 503);
  expect(detail).toMatch(/disk is full|can't be used|can't be used/);
  expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);

  const health = await fetch(`${server.url}/healthz`);
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({ status: 'unavailable', detail });

  const stored = await readAll(server.url);
  expect(stored[0]).toEqual(before);
  const page = await fetch(server.url);
  expect(page.status).toBe(200);

  disk.makeRoom(server);
  const after = await post(server.url, { co2: 3, voc: 3 });
  expect(after.status).toBe(201);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await readAll(server.url)).slice(stored.length)).toEqual([await after.json()]);

  disk.fill(server);
  await until(async () => (await post(server.url, { co2: 4, voc: 4 })).status === 503);
  expect(await server.stop()).toBe(0);
});
