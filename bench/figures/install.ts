import { spawn, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, temporaryFolder } from '../../tests/support/server/server';
import { until } from '../../tests/support/until';
import type { Measurement } from '../figure';

/** Measures the time for installation and start in a fresh clone. */
export const install: Measurement = {
  name: 'install',
  async measure() {
    const folder = join(temporaryFolder(), 'airboard');
    const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' });
    for (const file of listed.stdout.split('\0').filter(Boolean)) cpSync(file, join(folder, file));
    const startedAt = performance.now();
    const { status, stderr } = spawnSync('npm', ['ci'], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm ci ended with ${status}:\n${stderr}`);
    const installS = (performance.now() - startedAt) / 1000;
    const firstStartS = await secondsToFirstPage(folder);
    const startS = await secondsToFirstPage(folder);
    return [
      { name: 'npm ci', unit: 's', value: installS },
      {
        name: 'first npm start, which builds, until the first 200',
        unit: 's',
        value: firstStartS,
        target: { atMost: 15 },
      },
      { name: 'second npm start, until the first 200', unit: 's', value: startS, target: { atMost: 2 } },
    ];
  },
};

async function secondsToFirstPage(folder: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  // A process group of its own, which can be killed: npm doesn't always forward signals.
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), HOST: '127.0.0.1' },
    stdio: 'ignore',
    detached: true,
  });
  const url = `http://127.0.0.1:${port}/`;
  await until(async () => (await fetch(url).catch(() => null))?.status === 200, 120_000);
  const seconds = (performance.now() - startedAt) / 1000;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid as number), 'SIGTERM');
  await ended;
  return seconds;
}
