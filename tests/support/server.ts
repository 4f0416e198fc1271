import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until';

/** A built server in a process of its own, on a free port, with a database file of its own. */
export interface RunningServer {
  url: string;
  port: number;
  pid: number;
  databasePath: string;
  /** What it has printed so far, both streams. */
  output(): string;
  /** Ends it by a signal, SIGTERM if none is named; resolves with its exit code once it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Starts it again on the same port and file. */
  restart(): Promise<RunningServer>;
}

export interface ServerOptions {
  env?: Record<string, string>;
  port?: number;
  /** A file to go on with; without it, a new one in a folder that is removed when the tests end. */
  databasePath?: string;
  /** What tells by the output that it listens; without it, `/healthz` is asked. */
  isReady?: (output: string) => boolean;
}

/** A start takes half a second, and many times that on a machine that has other work. */
const START_MS = 50_000;

/** Starts `npm start`'s own script and waits until it answers. Rejects with its output if it ends before. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const databasePath = options.databasePath ?? join(temporaryFolder(), 'readings.db');
  const { child, output } = spawnServer({ ...options.env, PORT: String(port), DATABASE_PATH: databasePath });
  const url = `http://127.0.0.1:${port}`;
  const isReady = options.isReady ?? (() => fetch(`${url}/healthz`).then(Boolean, () => false));
  await until(() => {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`the server ended with ${end}:\n${output()}`);
    return isReady(output());
  }, START_MS).catch((error) => {
    throw new Error(`the server did not start, and printed: ${output()}`, { cause: error });
  });
  return {
    url,
    port,
    pid: child.pid as number,
    databasePath,
    output,
    stop: (signal = 'SIGTERM') => end(child, signal),
    restart: () => startServer({ ...options, port, databasePath }),
  };
}

/** Runs the server until it ends by itself: for what it says when it can't start. */
export async function runServer(
  env: Record<string, string>,
): Promise<{ exitCode: number | null; output: string }> {
  const { child, output } = spawnServer({ PORT: String(await freePort()), ...env });
  const [exitCode] = await once(child, 'close');
  return { exitCode, output: output() };
}

/** A new folder, removed when this test process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'airboard-'));
  folders.add(folder);
  return folder;
}

const folders = new Set<string>();

/**
 * A port that nothing listens on, below those that systems hand to outgoing connections: one of these could
 * take it before the server does, or while the server is restarted.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function spawnServer(env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['scripts/start.js'], {
    env: { PATH, HOME, NODE_ENV: 'production', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  return { child, output: () => printed };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  const [exitCode] = await once(child, 'exit');
  return exitCode;
}
