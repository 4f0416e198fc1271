import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SOURCES } from '../../scripts/build/build-app.js';
import { endWithRun } from '../support/own-temporary-folder';
import { freePort, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

/** A start takes two seconds, and many times that on a busy machine. */
const START_MS = 100_000;
const SLOW = { timeout: START_MS + 20_000 };

/**
 * Replaces Remix's command line, because a build takes half a minute of processor time: copies this project's build to
 * the output folder of `buildApp`, or fails half-way if the sources say so. The build that all tests use is a real one
 * by `buildApp` (tests/support/server/prepare-product.ts).
 */
const BUILDER = `
  const { cpSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
  const folder = process.env.AIRBOARD_BUILD_DIRECTORY;
  console.log('building with', process.argv[2], 'for', process.env.NODE_ENV);
  cpSync(${JSON.stringify(resolve('build/client'))}, folder + '/client', { recursive: true });
  if (existsSync('app/broken.tsx')) process.exit(1);
  cpSync(${JSON.stringify(resolve('build/server'))}, folder + '/server', { recursive: true });
  const server = folder + '/server/index.js';
  writeFileSync(server, readFileSync(server, 'utf8').replace('"build/client"', JSON.stringify(folder + '/client')));
`;

const BUILDING = '[airboard] building';

const project = join(temporaryFolder(), 'airboard');
let port: number;
let npm: ChildProcess | undefined;

/** Each test starts with a complete build of its sources. */
beforeEach(async () => {
  for (const path of [...SOURCES, 'scripts', 'build']) {
    rmSync(join(project, path), { recursive: true, force: true });
    cpSync(path, join(project, path), { recursive: true });
  }
  port = await freePort();
});

beforeAll(() => {
  mkdirSync(project);
  installPackages();
});

afterEach(async () => {
  // Stops the whole process group, since npm runs the server in a shell.
  if (npm?.pid && npm.exitCode === null && npm.signalCode === null) {
    process.kill(-npm.pid, 'SIGTERM');
    await once(npm, 'exit');
  }
});

/** Runs `npm start` in the copy until it answers, and returns its output. */
async function start(): Promise<string> {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: project,
    detached: true,
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  npm = child;
  endWithRun(child);
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
  }, START_MS);
  return printed;
}

test('builds if there is no build, prints its address and its store, and stops with npm', SLOW, async () => {
  const build = join(project, 'build');
  rmSync(build, { recursive: true });
  // Left by a killed build: no process has such a high id.
  mkdirSync(join(build, 'unfinished-4194305', 'client'), { recursive: true });
  const printed = await start();
  expect(readdirSync(build).sort()).toEqual(['built', 'client', 'server']);
  expect(printed).toContain(BUILDING);
  expect(printed).not.toContain('building with');
  expect(printed).toContain(`[airboard] open http://127.0.0.1:${port}`);
  expect(printed).toContain(`readings are kept in: SQLite file ${join(project, 'data', 'readings.db')}`);
  expect((await importCopy()).isBuildNeeded()).toBe(false);

  // Only npm gets the signal, and doesn't forward it.
  process.kill(npm?.pid as number, 'SIGTERM');
  await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) === null);
});

test('serves an outdated build with a warning if the build tools are not installed', SLOW, async () => {
  installPackages({ hasBuilder: false });
  appendFileSync(join(project, 'app', 'root.tsx'), '\n');
  const printed = await start();
  installPackages();
  expect(printed).toContain('serving an outdated build');
  expect(printed).toContain('npm ci --include=dev && npm run build');
  expect(printed).not.toContain(BUILDING);
});

test('a failed build leaves the previous one unchanged', () => {
  writeFileSync(join(project, 'app', 'broken.tsx'), '');
  const before = contentOf(join(project, 'build', 'client'), join(project, 'build', 'server'));
  const { status, stderr } = spawnSync('node', ['scripts/start.js'], { cwd: project, encoding: 'utf8' });
  // Only a failed build shows its output.
  expect(stderr).toContain('building with vite:build for production');
  expect(stderr).toContain('[airboard] the build failed. The previous build is unchanged.');
  expect(status).toBe(1);
  expect(contentOf(join(project, 'build', 'client'), join(project, 'build', 'server'))).toEqual(before);
});

const future = new Date('2100-01-01');

test.each<[what: string, change: () => void]>([
  ['a source has changed', () => appendFileSync(join(project, 'app', 'root.tsx'), '\n')],
  [
    'a source has changed since a build by a clock that was ahead',
    () => {
      utimesSync(join(project, 'build', 'built'), future, future);
      appendFileSync(join(project, 'app', 'root.tsx'), '\n');
    },
  ],
  ['a source was removed', () => rmSync(join(project, 'app', 'tailwind.css'))],
  ['a source was added', () => writeFileSync(join(project, 'app', 'routes', 'new.tsx'), '')],
  ['the build lacks its stamp', () => rmSync(join(project, 'build', 'built'))],
  ['the build lacks its files', () => rmSync(join(project, 'build', 'client'), { recursive: true })],
  ['the build lacks its server', () => rmSync(join(project, 'build', 'server'), { recursive: true })],
])('needs a build if %s', async (_, change) => {
  const { isBuildNeeded } = await importCopy();
  expect(isBuildNeeded()).toBe(false);
  change();
  expect(isBuildNeeded()).toBe(true);
});

test('needs no build if only the time of a source changed', async () => {
  utimesSync(join(project, 'app', 'root.tsx'), future, future);
  expect((await importCopy()).isBuildNeeded()).toBe(false);
});

function importCopy(): Promise<typeof import('../../scripts/build/build-app.js')> {
  return import(join(project, 'scripts', 'build', 'build-app.js'));
}

/** Installs this project's packages in the copy, with an instant builder or without one. */
function installPackages({ hasBuilder = true } = {}) {
  const installed = resolve('node_modules');
  const folder = join(project, 'node_modules');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '@remix-run'), { recursive: true });
  for (const name of readdirSync(installed).filter((name) => !/^(\..*|@remix-run)$/.test(name)))
    symlinkSync(join(installed, name), join(folder, name));
  for (const name of readdirSync(join(installed, '@remix-run')).filter((name) => name !== 'dev'))
    symlinkSync(join(installed, '@remix-run', name), join(folder, '@remix-run', name));
  if (!hasBuilder) return;
  const cli = join(folder, '@remix-run', 'dev', 'dist', 'cli.js');
  mkdirSync(dirname(cli), { recursive: true });
  writeFileSync(cli, BUILDER);
}

/** Returns the files of folders with their contents. */
function contentOf(...folders: string[]): [path: string, content: string][] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path): [string, string] => [path, readFileSync(join(folder, path), 'latin1')]),
  );
}
