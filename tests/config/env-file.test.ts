import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/server';

/** Runs a script in a folder, with an environment of little more than `env`. */
function runIn(cwd: string, script: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, script, {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
    encoding: 'utf8',
  });
  return { exitCode: status, output: stderr + stdout };
}

const ENV_FILE = resolve('app/config/env-file.server.js');
const printVariables = [
  '--input-type=module',
  '--eval',
  `import { loadEnvFile } from '${ENV_FILE}'; loadEnvFile(); console.log(process.env.PORT, process.env.HOST)`,
];

test('adds the variables of .env, and keeps those that are set', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.env'), 'PORT=3001\nHOST="a b" # comment\n');
  expect(runIn(folder, printVariables).output).toBe('3001 a b\n');
  expect(runIn(folder, printVariables, { PORT: '3002' }).output).toBe('3002 a b\n');
});

test('accepts a missing .env', () => {
  expect(runIn(temporaryFolder(), printVariables).output).toBe('undefined undefined\n');
});

test.each([
  ['npm run seed', [resolve('scripts/seed.js'), '--readings', '1']],
  ['npm run replay', [resolve('scripts/replay.js'), 'readings.csv']],
  ['another program', printVariables],
])('an unreadable .env ends %s with 1 and one line', (_, script) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.env'));
  const { exitCode, output } = runIn(folder, script);
  expect(output).toMatch(
    /^\[airboard\] can't read \.env: EISDIR.*\. Make it a readable file, or remove it\.\n$/,
  );
  expect(exitCode).toBe(1);
});
