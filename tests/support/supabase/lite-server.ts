import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithRun } from '../own-temporary-folder';
import { freePort, temporaryFolder } from '../server/server';
import { until } from '../until';

/** A PostgREST-compatible server on a real Postgres (PGlite), without Docker or an account. */
export interface LiteServer {
  url: string;
  publicKey: string;
  secretKey: string;
  stop(): Promise<void>;
}

/** npx fetches and caches this package. With 147 MB it is too large for a dependency. */
const PACKAGE = '@supabase/lite@0.10.0';
const QUIET = { ...process.env, DO_NOT_TRACK: '1', LITE_TELEMETRY: '0' };

/** Returns the path of the program, because a process that npx starts can't be ended by its pid. */
function findProgram(): string {
  program ??= fetchProgram();
  return program;
}

let program: string | undefined;

function fetchProgram(): string {
  const options = ['--yes', `--package=${PACKAGE}`, '--call', 'command -v lite'];
  const output = execFileSync('npx', options, {
    env: QUIET,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return realpathSync(output.trim().split('\n').at(-1) ?? '');
}

const projects = new Map<string, string>();

/** Returns a project's folder with these migrations applied. Cached, because applying them takes most of a start. */
function findProject(migrations: string): string {
  const known = projects.get(migrations);
  if (known) return known;
  const folder = temporaryFolder();
  const lite = (...options: string[]) =>
    execFileSync(process.execPath, [findProgram(), ...options], {
      cwd: folder,
      env: QUIET,
      encoding: 'utf8',
    });
  lite('init', '--pglite');
  cpSync(migrations, join(folder, 'supabase/migrations'), { recursive: true });
  lite('migration', 'up');
  projects.set(migrations, folder);
  return folder;
}

/** Starts a server with an empty database to which the migrations of the folder `migrations` are applied. */
export async function startLite(migrations = 'supabase/migrations'): Promise<LiteServer> {
  const program = findProgram();
  const folder = temporaryFolder();
  cpSync(findProject(migrations), folder, { recursive: true });
  const port = await freePort();
  const config = join(folder, 'supabase/config.toml');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^port = \d+/m, `port = ${port}`));

  const child = spawn(process.execPath, [program, 'start', '--no-admin'], {
    cwd: folder,
    env: QUIET,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithRun(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${PACKAGE} ended with ${child.exitCode}:\n${output}`);
    return (await fetch(`${url}/rest/v1/`).catch(() => null)) !== null;
  }, 60_000);
  const keys = readFileSync(join(folder, '.env'), 'utf8');
  const key = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(keys)?.[1] ?? '';
  return {
    url,
    publicKey: key('SUPABASE_PUBLISHABLE_KEY'),
    secretKey: key('SUPABASE_SECRET_KEY'),
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), 5000);
  await once(child, 'exit');
  clearTimeout(killing);
}
