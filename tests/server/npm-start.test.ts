import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SOURCES } from '../../scripts/build-app.js';
import { freePort, temporaryFolder } from '../support/server';
import { until } from '../support/until';

/** A build takes its time on a small machine that has other work. */
const PATIENCE_MS = 170_000;
vi.setConfig({ testTimeout: PATIENCE_MS + 10_000 });

const project = join(temporaryFolder(), 'airboard');
let port: number;
let npm: ChildProcess | undefined;

beforeAll(async () => {
  for (const path of [...SOURCES, 'scripts']) cpSync(path, join(project, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  port = await freePort();
});

afterEach(async () => {
  // The whole group: npm runs the server below a shell.
  if (npm?.pid && npm.exitCode === null && npm.signalCode === null) {
    process.kill(-npm.pid, 'SIGTERM');
    await once(npm, 'exit');
  }
});

/** Runs `npm start` in the copy until it answers; gives what it has printed. */
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
  }, PATIENCE_MS);
  return printed;
}

const BUILDING = '[airboard] building';

test('without a build it builds, and prints its address, its store and where that is', async () => {
  const printed = await start();
  expect(printed).toContain(BUILDING);
  expect(printed).toContain(`http://localhost:${port}`);
  expect(printed).toContain(`readings are kept in: SQLite file ${join(project, 'data', 'readings.db')}`);
});

test('with a build newer than its sources it does not build again', async () => {
  expect(await start()).not.toContain(BUILDING);
});

test('with a source newer than the build it builds again', async () => {
  const now = new Date();
  utimesSync(join(project, 'app', 'root.tsx'), now, now);
  expect(await start()).toContain(BUILDING);
});

test('a signal to npm alone, which does not pass it on, stops the server as well', async () => {
  await start();
  process.kill(npm?.pid as number, 'SIGTERM');
  await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) === null);
});
