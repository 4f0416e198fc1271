import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/server/server';

type Flag = 'dev' | 'optional' | 'devOptional' | 'peer';
type Packages = Record<string, { version: string } & Partial<Record<Flag, true>>>;

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const THIS_NODE = process.versions.node;
const BUILD_TOOLS: Packages = { 'node_modules/@remix-run/dev': { version: '2.17.5', dev: true } };

/** Starts a project with these packages, pretending to be another version of Node. */
function start({
  node = THIS_NODE,
  wanted = {},
  installed = {},
}: {
  node?: string;
  wanted?: Packages;
  installed?: Packages | null;
}) {
  const root = temporaryFolder();
  const files = ['start.js', 'root-folder.js', 'serve/check-requirements.js'];
  for (const file of ['package.json', ...files.map((name) => `scripts/${name}`)])
    cpSync(file, join(root, file));
  writeFileSync(join(root, 'scripts', 'serve.js'), 'console.log("serving")');
  mkdirSync(join(root, 'scripts', 'build'));
  writeFileSync(join(root, 'scripts', 'build', 'build-app.js'), 'export const buildIfNeeded = () => {};');
  const version = `Object.defineProperty(process.versions, 'node', { value: '${node}' })`;
  writeFileSync(join(root, 'version.cjs'), version);
  writeFileSync(join(root, 'package-lock.json'), lockFile({ '': { version: '1' }, ...wanted }));
  if (installed) {
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), lockFile(installed));
  }
  const args = ['--require', join(root, 'version.cjs'), join(root, 'scripts', 'start.js')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { exitCode: status, output: stdout + stderr };
}

const lockFile = (packages: Packages) => JSON.stringify({ lockfileVersion: 3, packages });

test.each(['12.22.12', '18.20.8', '20.18.3'])('on Node %s, npm start exits with a one-line error', (node) => {
  const least = engines.node.replace('>=', '');
  const { exitCode, output } = start({ node, installed: null });
  expect(output).toBe(
    `[airboard] can't start: Node ${least} or newer is needed, and this is ${node}. Install a newer Node.\n`,
  );
  expect(exitCode).toBe(1);
});

test.each(['20.19.0', '20.20.2', '22.1.0', '24.0.0', '100.0.0'])('Node %s is accepted', (node) => {
  expect(start({ node })).toEqual({ exitCode: 0, output: 'serving\n' });
});

test.each(['start.js', 'dev.js', 'build.js'])('%s loads nothing before the check', (script) => {
  const imported = (file: string) =>
    [...readFileSync(join('scripts', file), 'utf8').matchAll(/^import .*'(.+)'/gm)].map(([, path]) => path);
  expect(imported(script).filter((path) => path !== 'node:module')).toEqual([
    './serve/check-requirements.js',
  ]);
  expect(imported('serve/check-requirements.js')).toEqual(['node:fs', 'node:path', '../root-folder.js']);
  expect(imported('root-folder.js')).toEqual(['node:path', 'node:url']);
});

test.each<[what: string, wanted: Packages, installed: Packages | null, reason: string]>([
  ['no packages', {}, null, 'its packages are not installed'],
  [
    'packages added after the last npm ci',
    { 'node_modules/a': { version: '1.0.0' }, 'node_modules/a/node_modules/@b/c': { version: '2.0.0' } },
    {},
    'package-lock.json asks for a 1.0.0, and it is not installed (and 1 more)',
  ],
  [
    'another version',
    { 'node_modules/a/node_modules/@b/c': { version: '2.0.0' } },
    { 'node_modules/a/node_modules/@b/c': { version: '1.9.0' } },
    'package-lock.json asks for @b/c 2.0.0, and 1.9.0 is installed',
  ],
  [
    'a missing build tool among others',
    { ...BUILD_TOOLS, 'node_modules/vite': { version: '6.0.0', dev: true } },
    BUILD_TOOLS,
    'package-lock.json asks for vite 6.0.0, and it is not installed',
  ],
])('%s: prints one line with npm ci', (_, wanted, installed, reason) => {
  expect(start({ wanted, installed })).toEqual({
    exitCode: 1,
    output: `[airboard] can't start: ${reason}. Run: npm ci\n`,
  });
});

test('starts without the build tools, and without packages for other systems', () => {
  const wanted: Packages = {
    ...BUILD_TOOLS,
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a-win32': { version: '1.0.0', optional: true },
    'node_modules/b': { version: '1.0.0', peer: true },
    'node_modules/c': { version: '1.0.0', devOptional: true },
  };
  const installed: Packages = { 'node_modules/a': { version: '1.0.0' } };
  expect(start({ wanted, installed })).toEqual({ exitCode: 0, output: 'serving\n' });
});
