import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { parseEnvFile } from '../../app/config/env-file.server.js';
import { temporaryFolder } from '../support/server/server';

/** Runs a script in a folder, with a minimal environment plus `env`. */
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

test('adds the variables of .env, and keeps existing ones', () => {
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

test('a link to a missing .env ends the program, like any unreadable .env', () => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, 'unmounted', 'settings'), join(folder, '.env'));
  const { exitCode, output } = runIn(folder, printVariables);
  expect(output).toMatch(/^\[airboard\] can't read \.env: ENOENT.*\n$/);
  expect(exitCode).toBe(1);
});

test.each([
  ['KEY=a#b', 'a#b'],
  ['KEY=#b', '#b'],
  ['KEY=a b # comment', 'a b'],
  ['KEY= # comment', ''],
  ['KEY="a #b" # comment', 'a #b'],
  [`KEY='a"b'`, 'a"b'],
  ['KEY=a"b"', 'a"b"'],
  ['KEY=a$HOME$$b', 'a$HOME$$b'],
  ['KEY="$HOME"', '$HOME'],
  ['KEY="C:\\new"', 'C:\\new'],
  [' export KEY = a=b ', 'a=b'],
  ['KEY=first\r\n\r\n# comment\r\nKEY=second\r\n', 'second'],
])('reads %j as %j', (text, value) => {
  expect(parseEnvFile(Buffer.from(text))).toEqual({ KEY: value });
});

test.each(['PORT 3001', 'PORT: 3001', '3001', 'WRITE-KEY=x', '=x', 'KEY="a', 'KEY="a" b', "KEY='a'b'"])(
  'rejects the line %j by its number, without printing it',
  (line) => {
    const read = () => parseEnvFile(Buffer.from(`# settings\nHOST=::1\n${line}\n`));
    expect(read).toThrow(
      'line 3 is not a setting. Write NAME=value. A quoted value ends on its line; only a comment may follow.',
    );
  },
);

test.each([
  ['UTF-16', Buffer.from('\ufeffPORT=3001\n', 'utf16le'), 'line 1 is UTF-16'],
  ['UTF-16 without a byte order mark', Buffer.from('PORT=3001\n', 'utf16le'), 'line 1 is UTF-16'],
  ['a byte order mark', Buffer.from('\ufeffPORT=3001\n'), 'line 1 begins with a byte order mark'],
  ['Latin-1', Buffer.from('PORT=3001\n# Zürich\n', 'latin1'), "line 2 isn't UTF-8"],
])('rejects %s, and says how to save the file', (_, bytes, reason) => {
  expect(() => parseEnvFile(bytes)).toThrow(reason);
  expect(() => parseEnvFile(bytes)).toThrow('Save the file as UTF-8 without a byte order mark.');
});

test('reads .env.example, which sets no database, since its default differs between checkout and package', () => {
  const example = parseEnvFile(readFileSync('.env.example'));
  expect(example).toMatchObject({ PORT: '3000', WRITE_KEY: '', DATABASE_PATH: '' });
  expect(parseEnv(example)).toEqual(parseEnv({}));
});
