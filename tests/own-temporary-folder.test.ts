import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import ownTemporaryFolder from './support/own-temporary-folder';
import { temporaryFolder } from './support/server/server';

test('a test run has its own temporary folder', () => {
  expect(basename(dirname(temporaryFolder()))).toMatch(/^airboard-tests-/);
});

test('removes the folder with all remaining files', async () => {
  vi.stubEnv('TMPDIR', mkdtempSync(join(tmpdir(), 'outside-')));
  onTestFinished(() => void vi.unstubAllEnvs());
  const remove = ownTemporaryFolder();
  const left = mkdtempSync(join(tmpdir(), 'left-'));
  writeFileSync(join(left, 'file'), '');
  await remove?.();
  expect(existsSync(dirname(left))).toBe(false);
  expect(existsSync(dirname(dirname(left)))).toBe(true);
});
