import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** A connection to a Postgres. */
export interface Database {
  exec(sql: string, options?: { onNotice?(notice: { message?: string }): void }): Promise<unknown>;
  query<T>(sql: string): Promise<{ rows: T[] }>;
  close(): Promise<void>;
}

interface PGlite extends Database {
  dumpDataDir(compression: 'none'): Promise<Blob>;
}

/** The data of an empty Postgres, which loads in a third of the time that creating one takes. */
let emptyData: Promise<Blob> | undefined;

async function createEmpty(create: (options?: object) => Promise<PGlite>): Promise<Blob> {
  const database = await create();
  try {
    return await database.dumpDataDir('none');
  } finally {
    await database.close();
  }
}

/** Opens an empty Postgres in memory with the roles of a project. Without `isSupabase`, it has no publication. */
export async function openPostgres({ isSupabase = true } = {}): Promise<Database> {
  const { PGlite } = createRequire(findProgram())('@electric-sql/pglite');
  const create = (options?: object): Promise<PGlite> => PGlite.create(options);
  emptyData ??= createEmpty(create);
  const database = await create({ loadDataDir: await emptyData });
  await database.exec('create role anon; create role authenticated; create role service_role bypassrls;');
  if (isSupabase) {
    await database.exec('create publication supabase_realtime');
    // Projects created before mid-2026 grant everything on a new table to everyone.
    await database.exec(
      'alter default privileges in schema public grant all on tables to anon, authenticated, service_role',
    );
  }
  return database;
}

const FOLDER = 'supabase/migrations';

/** Returns the SQL of the migrations, in order. */
export function migrations(): string[] {
  const names = readdirSync(FOLDER).sort();
  return names.map((name) => readFileSync(join(FOLDER, name), 'utf8'));
}

/** Applies all migrations. */
export async function migrate(database: Database): Promise<void> {
  for (const sql of migrations()) await database.exec(sql);
}
