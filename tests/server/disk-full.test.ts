import { spawnSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { backUpDatabase } from '../../app/store/sqlite/file/sqlite-copy.server.js';
import { seedDatabase } from '../support/readings/database';
import { expectProblem, post, readAll } from '../support/server/api';
import { expectOffice, officeReadings, postBatches } from '../support/server/office';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

/** A database on a disk that a test can fill and empty while a server uses it. */
interface SmallDisk {
  databasePath: string;
  fill(server?: RunningServer): void;
  makeRoom(server?: RunningServer): void;
  remove(): void;
}

/** Mounts a small file system if this process may, and otherwise limits the size of the server's files. */
function smallDisk(): SmallDisk {
  const disk = mountedDisk() ?? limitedDisk();
  onTestFinished(disk.remove);
  return disk;
}

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
    remove: () => void spawnSync('umount', ['-l', folder]),
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
    fill: (server) => server && limit(server, statSync(`${databasePath}-wal`).size),
    makeRoom: (server) => server && limit(server, 'unlimited'),
    remove() {},
  };
}

const FULL = /disk is full|can't be used/;

/** Fills the disk of a server, and waits until it stores nothing more. */
async function fillDisk(disk: SmallDisk, server: RunningServer): Promise<Response> {
  disk.fill(server);
  return until(async () => {
    const answer = await post(server.url, { co2: 2, voc: 2 });
    return answer.status !== 201 && answer;
  });
}

test('answers posts on a full disk with 503, keeps serving, and stores again once there is room', async () => {
  const disk = smallDisk();
  const server = await startServer({ databasePath: disk.databasePath });
  const before = await (await post(server.url, { co2: 1, voc: 1 })).json();

  const rejected = await fillDisk(disk, server);
  const { detail } = await expectProblem(rejected, 503);
  expect(detail).toMatch(FULL);
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

  await expectProblem(await fillDisk(disk, server), 503);
  expect(await server.stop()).toBe(0);
});

/** Runs a command on the database, and returns its exit code and output. */
function runCommand(databasePath: string, ...options: string[]) {
  const env = { ...process.env, DATABASE_PATH: databasePath };
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { env, encoding: 'utf8' });
  return { exitCode: status, output: stderr + stdout };
}

test('on a full disk, prune says what to remove first, and works afterwards', async ({ skip }) => {
  const disk = mountedDisk() ?? skip('needs a file system of its own');
  onTestFinished(disk.remove);
  await seedDatabase(disk.databasePath, 3000);
  const former = `${disk.databasePath}.2026-01-31T08-00-00-000Z`;
  backUpDatabase(disk.databasePath, former);
  disk.fill();
  const prune = ['scripts/prune.js', '--before', '2100-01-01', '--yes'];
  const { exitCode, output } = runCommand(disk.databasePath, ...prune);
  expect([exitCode, output]).toEqual([
    1,
    expect.stringMatching(
      /^Nothing was deleted: the disk is full, and this needs room on it first: up to .* MiB\./m,
    ),
  ]);
  expect(output).toContain(`Former databases are there: rm ${former} (0.`);
  rmSync(former);
  disk.makeRoom();
  const again = runCommand(disk.databasePath, ...prune);
  expect(again).toEqual({ exitCode: 0, output: expect.stringContaining('3000 readings deleted.') });
  expect(again.output).toMatch(/0\.\d MiB given back/);
});

const SPAN = 'from=2026-01-01T00:00:00Z&to=2026-01-11T00:00:00Z';
/** Requests that cover the ten days of `SPAN`. */
const LOOK_BACK = [`/api/history?points=10&${SPAN}`, `/api/summary?${SPAN}`, `/api/pattern?by=day&${SPAN}`];

test('on a full disk, answers are right for days whose stored history is outdated', async () => {
  const disk = smallDisk();
  const server = await startServer({ databasePath: disk.databasePath });
  const late = Array.from({ length: 240 }, (_, hour) => ({
    created_at: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
    co2: 400 + hour,
    voc: 100,
  }));
  expect((await post(server.url, late)).status).toBe(201);
  await fillDisk(disk, server);

  const answers = await Promise.all(LOOK_BACK.map((path) => fetch(server.url + path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [history, summary, pattern] = await Promise.all(answers.map((answer) => answer.json()));
  expect(history.steps.map(({ readings }: { readings: number }) => readings)).toEqual(Array(10).fill(24));
  expect(summary).toMatchObject({ readings: 240, co2: { lowest: 400, highest: 639 } });
  expect(pattern.cells).toHaveLength(10);
  expect(await server.stop()).toBe(0);
});

test('on a full disk, answers about a room are right', async () => {
  const disk = smallDisk();
  const server = await startServer({ databasePath: disk.databasePath });
  await postBatches(server.url, officeReadings('Office'));
  await fillDisk(disk, server);

  await expectOffice(server.url, 'Office');
  expect(await server.stop()).toBe(0);
});

test('on a full disk, answers that need to compute history get 503 until there is room', async () => {
  const disk = smallDisk();
  const server = await startServer({ databasePath: disk.databasePath });
  expect((await post(server.url, { co2: 415, voc: 120 })).status).toBe(201);
  const other = new Database(disk.databasePath);
  other.exec('pragma busy_timeout = 10000');
  other.exec(
    `insert into data (sensor, created_at, co2, voc) values (1, ${Date.UTC(2026, 0, 5) * 1000}, 700, 80)`,
  );
  other.close();
  await fillDisk(disk, server);

  for (const path of LOOK_BACK) {
    const answer = await fetch(server.url + path);
    const { detail } = await expectProblem(answer, 503);
    expect(detail).toMatch(FULL);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  }

  disk.makeRoom(server);
  const [, summary] = await Promise.all(
    LOOK_BACK.map(async (path) => (await fetch(server.url + path)).json()),
  );
  expect(summary).toMatchObject({ readings: 1, co2: { average: 700 } });
  expect(await server.stop()).toBe(0);
});
