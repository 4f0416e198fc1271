import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesBelow } from '../support/sources';

const scripts = filesBelow('build/client').filter((path) => path.endsWith('.js'));

/** Words of server code. */
const SERVER_ONLY = [
  'libsql',
  'DATABASE_PATH',
  'WRITE_KEY is set',
  'create table',
  'ZodError',
  'node:fs',
  'diagnostics_channel',
];

test.each(SERVER_ONLY)('no browser script contains "%s"', (word) => {
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((path) => readFileSync(path, 'utf8').includes(word))).toEqual([]);
});

test('the server build contains these words', () => {
  const server = filesBelow('build/server')
    .map((path) => readFileSync(path, 'utf8'))
    .join();
  for (const word of ['libsql', 'DATABASE_PATH', 'create table', 'diagnostics_channel'])
    expect(server).toContain(word);
});
