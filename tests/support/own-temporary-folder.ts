import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'airboard-tests-';

/**
 * Gives the run its own temporary folder. At its end, ends the processes and removes the files that tests and their
 * browsers left: Vitest stops the processes that run tests by a signal, so they can't clean up.
 */
export default function ownTemporaryFolder(): (() => Promise<void>) | undefined {
  // Each project of vitest.config.ts calls this.
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.env.TMPDIR = folder;
  return () => {
    endProcesses(folder);
    return removeFolder(folder);
  };
}

/** The names of files in the temporary folder, one for each running process. */
const PROCESS = /^process-(\d+)$/;

/** Ends a process at the end of the run at the latest, even if the test that started it fails. */
export function endWithRun(child: ChildProcess): void {
  const file = join(tmpdir(), `process-${child.pid}`);
  writeFileSync(file, '');
  child.once('exit', () => rmSync(file, { force: true }));
}

function endProcesses(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = PROCESS.exec(name)?.[1];
    try {
      if (pid) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended since.
    }
  }
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
