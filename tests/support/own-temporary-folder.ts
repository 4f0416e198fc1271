import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'airboard-tests-';

/**
 * Gives the run a temporary folder of its own, and removes it at the end with whatever the tests and their browsers
 * left in it. Vitest stops the processes that run tests by a signal, so that they can't clean up when they end.
 */
export default function ownTemporaryFolder(): (() => void) | undefined {
  // Each project of vitest.config.ts calls this.
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 30 });
}
