import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { until } from '../until';

/** A connection to a Postgres in memory. */
export type Database = Pick<PGlite, 'exec' | 'query' | 'close'>;

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

const ROLES = 'create role anon; create role authenticated; create role service_role bypassrls;';
const PROJECT = `create publication supabase_realtime;
  -- Projects created before mid-2026 grant everything on a new table to everyone.
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;`;

/** Opens an empty Postgres in memory with the roles of a project. Without `isSupabase`, it has no publication. */
export const openPostgres = ({ isSupabase = true } = {}): Promise<Database> =>
  open(isSupabase ? [ROLES, PROJECT] : [ROLES]);

/** Opens a Postgres in memory with all migrations. */
export const openProject = (): Promise<Database> => open([ROLES, PROJECT, ...migrations()]);

/** Opens a Postgres to which these statements are applied. */
async function open(statements: string[]): Promise<PGlite> {
  const image = await findImage(statements);
  return PGlite.create({ loadDataDir: new Blob([readFileSync(image)]) });
}

/** Beside node_modules' other caches, so that later runs and other processes find the images. */
const IMAGES = 'node_modules/.cache/airboard-postgres';
/** Another process that has taken longer than this to make an image was ended. */
const LOCK_MS = 120_000;

/**
 * Returns the file with the data of a Postgres to which the statements are applied. It loads in a third of the time that
 * creating one takes.
 */
async function findImage(statements: string[]): Promise<string> {
  const { version } = JSON.parse(readFileSync('node_modules/@electric-sql/pglite/package.json', 'utf8'));
  const key = createHash('sha256')
    .update([version, ...statements].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const image = join(IMAGES, `${key}.tar`);
  const lock = `${image}.lock`;
  mkdirSync(IMAGES, { recursive: true });
  await until(async () => {
    if (existsSync(image)) return true;
    if (!takeLock(lock)) return false;
    const database = await PGlite.create();
    for (const sql of statements) await database.exec(sql);
    const data = await database.dumpDataDir('none');
    await database.close();
    writeFileSync(`${image}.new`, Buffer.from(await data.arrayBuffer()));
    renameSync(`${image}.new`, image);
    rmSync(lock, { recursive: true });
    return true;
  }, LOCK_MS);
  return image;
}

/** Lets one process make an image while the others wait, because making one takes a processor for seconds. */
function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LOCK_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** Returns the message of the error that a statement ends with, or `no error`. */
export const errorOf = (database: Database, sql: string): Promise<string> =>
  database.exec(sql).then(
    () => 'no error',
    ({ message }: Error) => message,
  );
