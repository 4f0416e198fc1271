import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect } from 'vitest';
import { endWithRun } from '../own-temporary-folder';
import { seedDatabase } from '../readings/database';
import { until } from '../until';

/** The built server in its own process, with its own port and database file. */
export interface RunningServer {
  url: string;
  port: number;
  pid: number;
  databasePath: string;
  /** All output so far, stdout and stderr. */
  output(): string;
  /** Sends a signal, SIGTERM by default, waits for the end and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Starts another server with the same options, port and file. */
  restart(): Promise<RunningServer>;
}

export interface ServerOptions {
  env?: Record<string, string>;
  port?: number;
  /** Defaults to a new file in a temporary folder. */
  databasePath?: string;
  /** The maximum number of open files. */
  maxFiles?: number;
  /** Runs the script of `npm start`, with its packages in separate files. */
  isUnbundled?: boolean;
  /** Runs this script, for example from another checkout. */
  script?: string;
  /** Decides from the output whether the server is listening. By default, `/healthz` is requested. */
  isReady?: (output: string) => boolean;
}

/** A start takes half a second, and many times that on a busy machine. */
const START_MS = 50_000;

const PORT_TAKEN = 'Stop the program that uses that port';

/** Starts the server (prepare-product.ts) and waits until it answers. Rejects with its output if it exits first. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const databasePath = options.databasePath ?? join(temporaryFolder(), 'readings.db');
  const { child, output } = spawnServer(
    { ...options.env, PORT: String(port), DATABASE_PATH: databasePath },
    {
      script: options.script ?? (options.isUnbundled ? undefined : process.env.SERVER_SCRIPT),
      maxFiles: options.maxFiles,
    },
  );
  const url = `http://127.0.0.1:${port}`;
  // A kept connection would count as one of the server's for 76 s.
  const healthz = () => fetch(`${url}/healthz`, { headers: { Connection: 'close' } });
  const isReady = options.isReady ?? (() => healthz().then(Boolean, () => false));
  const problem = await until(() => {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`the server ended with ${end}`);
    return isReady(output());
  }, START_MS).then(
    () => null,
    (error: Error) => error,
  );
  // Another server has taken the port since `freePort` found it free.
  if (problem && options.port === undefined && output().includes(PORT_TAKEN)) return startServer(options);
  if (problem) throw new Error(`the server did not start. It printed:\n${output()}`, { cause: problem });
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

/** Runs the script of `npm start` for a server that can't start, and returns its exit code and output. */
export async function runServer(
  env: Record<string, string>,
  options: string[] = [],
): Promise<{ exitCode: number | null; output: string }> {
  const { child, output } = spawnServer({ PORT: String(await freePort()), ...env }, { options });
  const [exitCode] = await once(child, 'close');
  return { exitCode, output: output() };
}

/** Creates a folder that is removed at the end of the run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'airboard-'));
}

/**
 * Returns a free port below the ephemeral ports, so no outgoing connection takes it before the server does, or during a
 * restart.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // 10080 is the only port in this range that `fetch` refuses (fetch.spec.whatwg.org, "bad port").
    const port = 10_081 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

interface SpawnOptions {
  /** Defaults to the script of `npm start`. */
  script?: string;
  /** Arguments of the start script. */
  options?: string[];
  maxFiles?: number;
}

function spawnServer(
  env: Record<string, string>,
  { script = 'scripts/start.js', options = [], maxFiles }: SpawnOptions = {},
) {
  const { PATH, HOME } = process.env;
  const command = [process.execPath, script, ...options];
  const limited = ['sh', '-c', `ulimit -n ${maxFiles} && exec "$0" "$@"`, ...command];
  const [program = '', ...args] = maxFiles ? limited : command;
  const child = spawn(program, args, {
    env: { PATH, HOME, NODE_ENV: 'production', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithRun(child);
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

/**
 * Starts a server with `count` readings, the newest one `endMs` old. They are 15 s apart, or more if a late post by the
 * test would otherwise leave a gap.
 */
export async function startServerWith(
  count: number,
  { endMs, intervalMs, env }: { endMs?: number; intervalMs?: number; env?: Record<string, string> } = {},
): Promise<RunningServer> {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await seedDatabase(databasePath, count, { endMs, intervalMs });
  return startServer({ databasePath, env });
}

interface Work {
  /** The number of concurrent clients. */
  lanes: number;
  /** One request of a client. */
  work(lane: number): Promise<void>;
  /** Returns whether the kill is due. */
  isDue(): boolean;
  /** Delays the kill by this many microtask turns, to a random moment within a request. */
  turns: number;
}

/** Kills a server while clients work, restarts it, and expects SQLite to find no error in its file. */
export async function killDuringWork(server: RunningServer, { lanes, work, isDue, turns }: Work) {
  let isKilled = false;
  const run = async (_: unknown, lane: number) => {
    while (!isKilled) await work(lane);
  };
  const working = Promise.all(Array.from({ length: lanes }, run));
  await Promise.race([until(isDue, 100_000), working]);
  for (let i = 0; i < turns; i++) await null;
  await server.stop('SIGKILL');
  isKilled = true;
  await working;

  const next = await server.restart();
  const database = new Database(next.databasePath, { readonly: true });
  expect(database.prepare('pragma integrity_check').raw().all()).toEqual([['ok']]);
  database.close();
  return next;
}
