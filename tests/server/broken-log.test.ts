import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post } from '../support/server/api';
import { freePort, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

/** Starts the built server with its output sent to `log`. */
async function startWithLog(log: number | 'pipe') {
  const port = await freePort();
  const databasePath = join(temporaryFolder(), 'readings.db');
  const env = { ...process.env, HOST: '127.0.0.1', PORT: `${port}`, DATABASE_PATH: databasePath };
  const child: ChildProcess = spawn(process.execPath, [process.env.SERVER_SCRIPT ?? 'scripts/start.js'], {
    env,
    stdio: ['ignore', log, log],
  });
  return { child, url: `http://127.0.0.1:${port}` };
}

test.each(['a full disk', 'a closed pipe'])(
  'serves while its log goes to %s, and stops with 0',
  async (log) => {
    const isFull = log === 'a full disk';
    if (isFull && !existsSync('/dev/full')) return;
    const { child, url } = await startWithLog(isFull ? openSync('/dev/full', 'w') : 'pipe');
    child.stdout?.destroy();
    child.stderr?.destroy();
    try {
      await until(
        () => child.exitCode !== null || fetch(`${url}/healthz`).then(Boolean, () => false),
        50_000,
      );
      // Pages, unknown pages and refused posts are logged by different code.
      for (let i = 0; i < 3; i++) {
        for (const path of ['/', '/nothing', '/api/data?limit=x']) await (await fetch(url + path)).text();
      }
      expect((await post(url, { co2: 415, voc: 120 })).status).toBe(201);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
