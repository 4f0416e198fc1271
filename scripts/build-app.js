import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What a build is made from. */
export const SOURCES = [
  'app',
  'public',
  'scripts/client-build.js',
  'package.json',
  'package-lock.json',
  'remix.config.js',
  'tailwind.config.ts',
  'tsconfig.json',
  'vite.config.ts',
];

/** Written when a build is complete, so that one that broke off is not taken for one. */
const STAMP = join(ROOT, 'build', 'built');

/** Whether there is no complete build, or a source is newer than it. */
export function isBuildNeeded() {
  if (!existsSync(STAMP)) return true;
  const builtAt = statSync(STAMP).mtimeMs;
  return SOURCES.some((source) => newestIn(join(ROOT, source)) > builtAt);
}

/** Builds into `build/`; ends this process with the builder's status if that fails. */
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
  // As of its start: what changed while it ran is not in it.
  utimesSync(STAMP, started, started);
}

/** npm leaves the builder out where NODE_ENV is production. */
function findBuilder() {
  try {
    return createRequire(import.meta.url).resolve('@remix-run/dev/dist/cli.js');
  } catch {
    console.error('[airboard] the build tools are not installed. Run: npm ci --include=dev');
    process.exit(1);
  }
}

/**
 * When a file, or anything in a folder, was last changed. A folder's own time tells of files removed.
 *
 * @param {string} path
 * @returns {number} milliseconds, 0 where there is nothing
 */
function newestIn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
