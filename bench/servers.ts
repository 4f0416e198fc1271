import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RunningServer, startServer, temporaryFolder } from '../tests/support/server/server';
import { until } from '../tests/support/until';

/** The timeout for computing a history. Ten million readings take one to two minutes. */
const HISTORY_MS = 10 * 60_000;

/** Starts the built product without a limit on posts per minute. By default, its store is empty. */
export function startProduct(
  databasePath?: string,
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  return startServer({ databasePath, env: { POSTS_PER_MINUTE: '0', ...settings } });
}

/** Starts a server from `bench/baselines` with its own port and database file. */
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

/** Creates a store with readings from `npm run seed`, and returns its path. */
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

/**
 * Like `seedStore`, but also computes the history. Use it for more than a month of readings: otherwise the server would compute
 * the history in the background after its start, and distort the measurement.
 */
export async function seedStoreWithHistory(readings: number): Promise<string> {
  const databasePath = seedStore(readings);
  const server = await startProduct(databasePath);
  await until(() => server.output().includes('the history is complete'), HISTORY_MS);
  await server.stop();
  return databasePath;
}

let tenMillion: Promise<string> | undefined;

/** Returns the path of a store with ten million readings and their history. Don't write to it, because it is shared. */
export function tenMillionReadings(): Promise<string> {
  tenMillion ??= seedStoreWithHistory(10_000_000);
  return tenMillion;
}

/** Returns a process's resident memory in MiB. */
export function memoryMiB(pid: number): number {
  const inKiB =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return Number(inKiB) / 1024;
}
