import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runScriptHere } from '../support/run-script';
import { temporaryFolder } from '../support/server/server';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test.each([
  ['import', '--help'],
  ['import', 'nowhere.csv', '--url', 'board', '-h'],
  ['export', '--help'],
  ['replay', '--help'],
  ['seed', '--help'],
  ['backup', '--help'],
  ['restore', '-h'],
  ['prune', '--help'],
])('npm run %s -- %s … prints the usage and succeeds', async (script, ...options) => {
  vi.stubEnv('DATABASE_PATH', join(temporaryFolder(), 'readings.db'));
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  expect(await runScriptHere(script, ...options)).toEqual({ exitCode: 0, output: '' });
  expect(print.mock.calls).toEqual([[expect.stringMatching(`^usage: npm run ${script} -- `)]]);
});
