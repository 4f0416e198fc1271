import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from '../root-folder.js';

/** Files and folders that the build reads. tests/scripts/build/build-app.slow.test.ts fails if one is missing. */
export const SOURCES = [
  'app',
  'public',
  'scripts/build/vite-plugins.js',
  'scripts/serve/listen-address.js',
  'package.json',
  'package-lock.json',
  'remix.config.js',
  'tailwind.config.ts',
  'tsconfig.json',
  'vite.config.ts',
];

/**
 * airboard serves `SERVED`, and this process builds in `UNFINISHED`. An interrupted build leaves the served one intact,
 * and concurrent builds don't mix.
 */
const SERVED = 'build';
const UNFINISHED = `${SERVED}/unfinished-${process.pid}`;

/** The file with the digest of the build's sources, and the time of the build in a second line. */
const STAMP = join(ROOT, SERVED, 'built');

/** Returns true if there is a complete build, up to date or not. */
function hasBuild() {
  return ['client', 'server/index.js'].every((part) => existsSync(join(ROOT, SERVED, part)));
}

/** Returns true if there is no build, or its sources have changed. */
export function isBuildNeeded() {
  if (!hasBuild() || !existsSync(STAMP)) return true;
  const [digest] = readFileSync(STAMP, 'utf8').split('\n');
  return digest !== digestOfSources();
}

/** Builds if there is no build or its sources have changed. Without the build tools, keeps an outdated build. */
export function buildIfNeeded() {
  if (!isBuildNeeded()) return;
  if (findBuilder() || !hasBuild()) {
    console.log('[airboard] building, because there is no build or its sources have changed …');
    buildApp({ isQuiet: true });
  } else {
    console.log(
      '[airboard] serving an outdated build: its sources have changed, and the build tools are not installed. ' +
        'To build, run: npm ci --include=dev && npm run build',
    );
  }
}

/**
 * Builds into `build/`. If that fails, leaves an existing build as it is and exits with the build's code.
 *
 * @param {{ isQuiet?: boolean }} [options] `isQuiet` prints the build's output only if it fails
 */
export function buildApp({ isQuiet = false } = {}) {
  const remix = requireBuilder();
  removeInterrupted();
  // Computed first: the build may miss changes that are made during it.
  const digest = digestOfSources();
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [remix, 'vite:build'], {
    cwd: ROOT,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    maxBuffer: Number.POSITIVE_INFINITY,
    env: { ...process.env, NODE_ENV: 'production', AIRBOARD_BUILD_DIRECTORY: UNFINISHED },
  });
  if (status !== 0) {
    if (isQuiet) for (const output of [stdout, stderr]) process.stderr.write(output ?? '');
    const reason = signal ? `was ended by ${signal}. It needs 600 MB of memory` : 'failed';
    console.error(`[airboard] the build ${reason}.${hasBuild() ? ' The previous build is unchanged.' : ''}`);
    process.exit(status || 1);
  }
  putInPlace(digest);
}

/** Removes the folders of interrupted builds. */
function removeInterrupted() {
  const folder = join(ROOT, SERVED);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = /^unfinished-(\d+)$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces the build. The server's part comes last: it marks the build as complete.
 *
 * @param {string} digest
 */
function putInPlace(digest) {
  const server = join(ROOT, UNFINISHED, 'server', 'index.js');
  // Remix writes the path of the client's folder into the server bundle.
  const [before, after, ...others] = readFileSync(server, 'utf8').split(`"${UNFINISHED}/client"`);
  if (after === undefined || others.length > 0)
    throw new Error(`${server} doesn't contain the path of its client's folder exactly once`);
  writeFileSync(server, `${before}"${SERVED}/client"${after}`);
  listAssets();
  compressAssets();
  rmSync(STAMP, { force: true });
  for (const part of ['client', 'server']) {
    rmSync(join(ROOT, SERVED, part), { recursive: true, force: true });
    renameSync(join(ROOT, UNFINISHED, part), join(ROOT, SERVED, part));
  }
  rmSync(join(ROOT, UNFINISHED), { recursive: true });
  writeFileSync(STAMP, `${digest}\n${new Date().toISOString()}\n`);
}

/**
 * Lists the scripts and styles for the service worker, which stores only listed files with a page. It can't trust the
 * paths in a page's text, which contains sensor names that anybody may choose.
 */
function listAssets() {
  const names = clientFiles().filter((name) => name.startsWith('assets/'));
  writeFileSync(join(ROOT, UNFINISHED, 'client', 'assets.json'), JSON.stringify(names));
}

/** Compressing smaller files saves less than the extra headers cost. */
const COMPRESS_FROM_BYTES = 1000;

/** Writes a Brotli copy of each script and style, which `app/http/guard/remix-serve.server.ts` serves. */
function compressAssets() {
  for (const name of clientFiles()) {
    const path = join(ROOT, UNFINISHED, 'client', name);
    const content = readFileSync(path);
    if (content.length >= COMPRESS_FROM_BYTES) writeFileSync(`${path}.br`, brotliCompressSync(content));
  }
}

/** Returns the paths of the scripts and styles of pages, such as `assets/chart-Bx3.js`. */
function clientFiles() {
  const files = readdirSync(join(ROOT, UNFINISHED, 'client'), { recursive: true, encoding: 'utf8' });
  return files.map((name) => name.replaceAll('\\', '/')).filter((name) => /\.(js|css)$/.test(name));
}

/** Returns the path of Remix's command line, or null: npm doesn't install it if NODE_ENV is production. */
function findBuilder() {
  try {
    return createRequire(import.meta.url).resolve('@remix-run/dev/dist/cli.js');
  } catch {
    return null;
  }
}

/** Returns the path of Remix's command line. If it isn't installed, ends the process with 1. */
export function requireBuilder() {
  const builder = findBuilder();
  if (builder) return builder;
  console.error('[airboard] the build tools are not installed. Run: npm ci --include=dev');
  return process.exit(1);
}

/** Returns a digest of the names and contents of all sources. */
function digestOfSources() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(filesBelow)) {
    const content = readFileSync(join(ROOT, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Returns a file's path, or the paths of all files in a folder, in the same order on every system.
 *
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`));
}
