import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SOURCES } from '../../scripts/build-app.js';
import { freePort, temporaryFolder } from '../support/server';
import { until } from '../support/until';

/** A build takes seconds, and many times that on a busy machine. */
const BUILD_MS = 170_000;
vi.setConfig({ testTimeout: BUILD_MS + 10_000 });

const BUILDING = '[airboard] building';

const project = join(temporaryFolder(), 'airboard');
let port: number;
let npm: ChildProcess | undefined;

/** Each test starts with a complete build that is newer than its sources. */
beforeEach(async () => {
  for (const path of [...SOURCES, 'scripts', 'build']) {
    cpSync(path, join(project, path), { recursive: true });
  }
  port = await freePort();
});

beforeAll(() => {
  mkdirSync(project);
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
});

afterEach(async () => {
  // Stops the whole process group: npm runs the server below a shell.
  if (npm?.pid && npm.exitCode === null && npm.signalCode === null) {
    process.kill(-npm.pid, 'SIGTERM');
    await once(npm, 'exit');
  }
});

/** Runs `npm start` in the copy until it answers, and returns what it has printed. */
async function start(): Promise<string> {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: project,
    detached: true,
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  npm = child;
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${printed}`);
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    return answer?.ok && (await answer.text()).includes('Getting Reading');
  }, BUILD_MS);
  return printed;
}

test('builds if there is no build, and prints its address and its store', async () => {
  rmSync(join(project, 'build'), { recursive: true });
  const printed = await start();
  expect(printed).toContain(BUILDING);
  expect(printed).toContain(`http://localhost:${port}`);
  expect(printed).toContain(`readings are kept in: SQLite file ${join(project, 'data', 'readings.db')}`);
});

test("doesn't build if the build is newer than its sources", async () => {
  expect(await start()).not.toContain(BUILDING);
});

test.each<[what: string, change: () => void]>([
  ['a source has changed', () => utimesSync(join(project, 'app', 'root.tsx'), new Date(), new Date())],
  ['a source was removed', () => rmSync(join(project, 'app', 'tailwind.css'))],
  ['the last build failed', () => rmSync(join(project, 'build', 'built'))],
])('a build is needed if %s', async (_, change) => {
  const copy: typeof import('../../scripts/build-app.js') = await import(
    join(project, 'scripts', 'build-app.js')
  );
  expect(copy.isBuildNeeded()).toBe(false);
  change();
  expect(copy.isBuildNeeded()).toBe(true);
});

test("stops the server if only npm gets the signal, which it doesn't pass on", async () => {
  await start();
  process.kill(npm?.pid as number, 'SIGTERM');
  await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) === null);
});
