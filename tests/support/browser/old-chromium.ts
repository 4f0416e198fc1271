import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** Packages with a Chromium for Linux on x64, by its version. */
export const OLD_CHROMIUMS = { 92: 'chrome-aws-lambda@10.1.0', 103: '@sparticuz/chromium@103.0.0' };

export type OldVersion = keyof typeof OLD_CHROMIUMS;

/** Outside the run's temporary folder, so that later runs find them. Each is 160 MB. */
const CACHE = resolve('node_modules/.cache/old-chromium');

/**
 * Returns the path of an old Chromium, which npm downloads once (50 MB). Returns the reason if that isn't possible; throws
 * instead if `CI` is set.
 */
export function fetchOldChromium(version: OldVersion): { path: string } | { missing: string } {
  const path = join(CACHE, `chromium-${version}`);
  if (existsSync(path)) return { path };
  const problem = canRun() ? download(OLD_CHROMIUMS[version], path) : 'it runs only on Linux on x64';
  if (problem === null) return { path };
  const missing = `LEFT OUT: the test in Chromium ${version}: ${problem}`;
  if (process.env.CI) throw new Error(missing);
  return { missing };
}

const canRun = () => process.platform === 'linux' && process.arch === 'x64';

/** Returns null, or the reason for a failure. */
function download(name: string, path: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'old-chromium-'));
  const packed = run('npm', ['pack', name, '--pack-destination', folder]);
  if (packed !== null) return packed;
  const [file = ''] = readdirSync(folder);
  const unpacked = run('tar', ['-xzf', join(folder, file), '-C', folder]);
  if (unpacked !== null) return unpacked;
  mkdirSync(CACHE, { recursive: true });
  // Renamed when it is complete, because another process may look for it.
  const unfinished = `${path}-${process.pid}`;
  writeFileSync(unfinished, brotliDecompressSync(readFileSync(join(folder, 'package/bin/chromium.br'))));
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
  return null;
}

function run(program: string, parameters: string[]): string | null {
  const { status, stderr, error } = spawnSync(program, parameters, { encoding: 'utf8' });
  return status === 0 ? null : `"${program} ${parameters.join(' ')}" failed. ${error?.message ?? stderr}`;
}
