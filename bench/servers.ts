import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RunningServer, startServer, temporaryFolder } from '../tests/support/server';
import { until } from '../tests/support/until';

/** The built product without its ceiling of posts a minute, on a store of its own. */
export function startProduct(databasePath?: string): Promise<RunningServer> {
  return startServer({ databasePath, env: { POSTS_PER_MINUTE: '0' } });
}

/** A server of `bench/baselines`, told its port and a database file of its own. */
export async function startBaseline(name: string): Promise<{ url: string; pid: number; stop(): void }> {
  const port = await freePort();
  const child = spawn(process.execPath, [`bench/baselines/${name}.js`], {
    env: { ...process.env, PORT: String(port), DATABASE_PATH: join(temporaryFolder(), 'baseline.db') },
    stdio: 'inherit',
  });
  process.once('exit', () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  await until(() => isUp(child, url));
  return { url, pid: child.pid as number, stop: () => child.kill() };
}

async function isUp(child: ChildProcess, url: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`the baseline ended with ${child.exitCode}`);
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** A new store with so many readings in it, as `npm run seed` makes them. */
export function seedStore(readings: number): string {
  const databasePath = join(temporaryFolder(), 'readings.db');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/seed.js', '--readings', String(readings)],
    {
      env: { ...process.env, DATABASE_PATH: databasePath },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return databasePath;
}

let tenMillion: string | undefined;

/** A store of ten million, made once: for who only reads. */
export function tenMillionReadings(): string {
  tenMillion ??= seedStore(10_000_000);
  return tenMillion;
}

/** Memory that a process has in use now, in MiB. */
export function memoryMiB(pid: number): number {
  const inKiB =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return Number(inKiB) / 1024;
}
