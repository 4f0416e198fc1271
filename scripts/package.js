/** `npm run package`: creates `airboard-VERSION.tgz`, which npm can install on a machine with only Node. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments } from './arguments.js';
import { fail } from './fail.js';
import { ROOT } from './root-folder.js';
import { checkRequirements } from './serve/check-requirements.js';

const USAGE = `usage: npm run package -- [--folder FOLDER]

  --folder FOLDER  where to put airboard-VERSION.tgz, by default the current one

Builds first, if the sources have changed.`;

/** Files and folders to pack besides the bundles. */
const FILES = [
  'build/client',
  'build/built',
  'supabase/migrations',
  'docs',
  '.env.example',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
];

checkRequirements();
const target = readArguments(USAGE, { folder: { type: 'string', value: '/tmp' } }, ({ folder = '.' }) =>
  resolve(folder),
);
const { buildIfNeeded } = await import('./build/build-app.js');
buildIfNeeded();
const { bundle, runtimeDependencies } = await import('./build/bundle.js');

const folder = mkdtempSync(join(tmpdir(), 'airboard-package-'));
try {
  for (const path of FILES) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'licenses.txt'), await bundle(folder));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, stdout } = spawnSync(npm, ['pack', '--json', '--pack-destination', target], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail('[airboard] npm pack failed.', 1);
  const [{ filename, unpackedSize }] = JSON.parse(stdout);
  console.log(`${join(target, filename)}: ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the package's `package.json`, without scripts and build tools. */
function manifest() {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { airboard: 'scripts/airboard.js' },
    dependencies: runtimeDependencies(),
  };
}
