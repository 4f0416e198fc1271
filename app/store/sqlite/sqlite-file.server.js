/**
 * The file the embedded store keeps readings in. Plain JavaScript, because `npm run seed` opens the same
 * file without a build: lock, settings and schema have this one home.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

/** The index that reading the newest ones goes by. */
export const INDEX = 'create index if not exists data_newest on data (created_at desc, id desc)';

const TABLE = `create table if not exists data (
  id integer primary key autoincrement,
  co2 real not null,
  voc real not null,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
)`;

/** How long a start waits for a file that another program, such as the sqlite3 shell, has locked. */
const OPEN_PATIENCE_MS = 4500;

class FileTaken extends Error {}

/**
 * Opens a file for this process alone, and creates it, its folder and its table where they are missing.
 *
 * @param {string} file
 * @returns {{ database: Database.Database, close: () => void }}
 * @throws {Error} saying why the file can't be used
 */
export function openSqliteFile(file) {
  let lock;
  try {
    makeFolder(dirname(file));
    lock = lockFile(`${file}.lock`);
    const taken = lock;
    const database = new Database(file);
    // Another program may just be closing the file, which locks it for a moment. Once it is open, who waits
    // for a lock does so without keeping the whole process waiting.
    database.pragma(`busy_timeout = ${OPEN_PATIENCE_MS}`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec(TABLE);
    database.prepare('select id, co2, voc, created_at from data');
    database.exec(INDEX);
    database.pragma('busy_timeout = 0');
    const close = () => {
      // Closing alone leaves the newest readings in the log beside the file, where a backup would miss them.
      try {
        database.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // A full disk, say: the log keeps them, and the next start reads it.
        console.error(
          `[airboard] ${file}-wal belongs to the readings: ${/** @type {Error} */ (error).message}`,
        );
      }
      database.close();
      taken.close();
    };
    return { database, close };
  } catch (error) {
    if (error instanceof FileTaken) throw error;
    // Nothing is left beside a file that is none of ours.
    lock?.close();
    if (lock) for (const left of ['lock', 'lock-journal']) rmSync(`${file}.${left}`, { force: true });
    throw new Error(
      `the readings can't be kept in ${file}: ${reasonOf(error)}. Set DATABASE_PATH to a file in a folder that can be written.`,
    );
  }
}

/**
 * Step by step: Node's own `recursive` never ends where the system says of every step that it is missing,
 * as below `/proc`.
 *
 * @param {string} folder
 */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** @param {unknown} error */
function reasonOf(error) {
  const { message, code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (isLocked(error)) return 'another program has it locked';
  if (code === 'SQLITE_NOTADB') return 'it is not an SQLite database';
  if (message.startsWith('ConnectionFailed')) return "it can't be opened as a file";
  if (message.startsWith('no such column')) return `its table "data" is another program's (${message})`;
  return message;
}

/**
 * Takes the file for this process until it ends, however it ends: SQLite's own lock on a file beside it,
 * because the database itself stays open to readers such as the sqlite3 shell.
 *
 * @param {string} path
 */
function lockFile(path) {
  const lock = new Database(path);
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new FileTaken(
      `another airboard already keeps its readings there (${path} is locked). Stop it, or set DATABASE_PATH to another file.`,
    );
  }
}

/**
 * Whether SQLite refused because another process has the lock.
 *
 * @param {unknown} error
 */
export function isLocked(error) {
  return /^SQLITE_(BUSY|LOCKED)/.test(String(/** @type {{ code?: string }} */ (error).code));
}
