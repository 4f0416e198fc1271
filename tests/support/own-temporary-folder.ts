import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'airboard-tests-';

/**
 * Gives the run its own temporary folder, and removes it at the end with all files that the tests and their browsers
 * left. Vitest stops the processes that run tests by a signal, so they can't clean up when they end.
 */
export default function ownTemporaryFolder(): (() => Promise<void>) | undefined {
  // Each project of vitest.config.ts calls this.
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.env.TMPDIR = folder;
  return () => removeFolder(folder);
}

/** Removes a folder in which ending processes may still write. `maxRetries` doesn't look for new files. */
async function removeFolder(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true });
  for (let tries = 0; tries < 100; tries++) {
    try {
      return await remove();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await remove();
}
