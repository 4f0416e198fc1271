import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A Postgres on this machine, for tests that need several sessions at a time. PGlite allows only one. */
export interface PostgresServer {
  /** Opens a session of the superuser. */
  session(): Session;
  stop(): void;
}

/** A session in psql. */
export interface Session {
  /**
   * Runs statements and returns their rows as text, with `|` between columns. An error rejects and ends the session.
   */
  run(sql: string): Promise<string>;
  close(): void;
}

const DEBIAN = '/usr/lib/postgresql';

/** Returns the folder of Postgres' programs: `PG_BIN`, or the folder of Debian's package; undefined if neither exists. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().reverse() : [];
  return [process.env.PG_BIN, ...versions.map((version) => join(DEBIAN, version, 'bin'))].find(
    (folder) => folder && existsSync(join(folder, 'initdb')),
  );
}

/** Starts an empty server. It listens on a socket in a folder of its own. */
export function startPostgres(programs: string): PostgresServer {
  // The path of TMPDIR may be too long for a socket, and the server's user can't enter it.
  const folder = mkdtempSync('/tmp/airboard-postgres-');
  const owner = serverUser();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const run = (program: string, ...options: string[]) =>
    execFileSync(join(programs, program), ['-D', data, ...options], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    });
  function stop(): void {
    process.off('exit', stop);
    run('pg_ctl', '-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true, force: true });
  }
  run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync');
  run(
    'pg_ctl',
    '-o',
    `-k ${folder} -c listen_addresses= -c fsync=off`,
    '-l',
    join(folder, 'log'),
    '-w',
    'start',
  );
  process.once('exit', stop);
  const options = ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-U', 'postgres', '-d', 'postgres'];
  return { session: () => sessionOf(spawn(join(programs, 'psql'), options)), stop };
}

/** Postgres refuses to run as root. For root, it runs as the user `postgres` of Debian's package. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

const DONE = 'statements done\n';

function sessionOf(psql: ChildProcessWithoutNullStreams): Session {
  let output = '';
  let errors = '';
  psql.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  psql.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return {
    run: (sql) =>
      new Promise((resolve, reject) => {
        output = '';
        const fail = () => reject(new Error(errors));
        psql.once('close', fail);
        psql.stdout.on('data', function look() {
          if (!output.endsWith(DONE)) return;
          psql.stdout.off('data', look);
          psql.off('close', fail);
          resolve(output.slice(0, -DONE.length).trim());
        });
        psql.stdin.write(`${sql};\n\\echo ${DONE}`);
      }),
    close: () => psql.stdin.end(),
  };
}
