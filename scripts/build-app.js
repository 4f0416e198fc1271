import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Files and folders that the build reads. tests/scripts/build-app.test.ts fails if one is missing. */
export const SOURCES = [
  'app',
  'public',
  'scripts/client-build.js',
  'scripts/dev-server.js',
  'package.json',
  'package-lock.json',
  'remix.config.js',
  'tailwind.config.ts',
  'tsconfig.json',
  'vite.config.ts',
];

/** Written when a build is complete; an interrupted build has none. */
const STAMP = join(ROOT, 'build', 'built');

/** Returns whether there is no complete build, or a source has changed since. */
export function isBuildNeeded() {
  if (!existsSync(STAMP)) return true;
  const builtAt = statSync(STAMP).mtimeMs;
  return SOURCES.some((source) => lastChange(join(ROOT, source)) > builtAt);
}

/** Builds into `build/`. If that fails, ends the process with the builder's exit code. */
export function buildApp() {
  const started = new Date();
  rmSync(STAMP, { force: true });
  const remix = findBuilder();
  const { status } = spawnSync(process.execPath, [remix, 'vite:build'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(STAMP, `${started.toISOString()}\n`);
  // Dated to its start: changes made during the build may not be in it.
  utimesSync(STAMP, started, started);
}

/** Returns the path of Remix's command line, which npm doesn't install if NODE_ENV is production. */
function findBuilder() {
  try {
    return createRequire(import.meta.url).resolve('@remix-run/dev/dist/cli.js');
  } catch {
    console.error('[airboard] the build tools are not installed. Run: npm ci --include=dev');
    process.exit(1);
  }
}

/**
 * Returns the time of the last change of a file, or of a folder and everything in it. A folder's own time changes when
 * a file is removed.
 *
 * @param {string} path
 * @returns {number} milliseconds since 1970; 0 if nothing is there
 */
function lastChange(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => lastChange(join(path, name))));
}
