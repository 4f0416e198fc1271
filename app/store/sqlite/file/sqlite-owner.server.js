/** Recognizes databases of other programs before anything changes them. */
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { FileError, isDamaged } from './sqlite-errors.server.js';

/**
 * Refuses a database of another program, without changing it. Opens it read-only: closing a writable connection would
 * move the database's write-ahead log into the file.
 *
 * @param {string} file
 * @throws {Error} if another program made the database, or SQLite's error if the file is damaged
 */
export function refuseForeignFile(file) {
  if (!statSync(file).isFile()) return;
  try {
    const database = new Database(`${pathToFileURL(file)}?mode=ro`);
    try {
      refuseForeignDatabase(database);
    } finally {
      database.close();
    }
  } catch (error) {
    // SQLite can't read some files without writing, such as one with an interrupted transaction, and others are locked for
    // a moment. They are checked when they are opened.
    if (error instanceof FileError || isDamaged(error)) throw error;
  }
}

/**
 * Refuses a database of another program: one that isn't empty, and lacks the tables of every version of airboard. Version 0
 * had only the table `data`.
 *
 * @param {import('libsql').Database} database
 */
export function refuseForeignDatabase(database) {
  const values = (/** @type {string} */ sql) => database.prepare(sql).pluck().all();
  const version = Number(values('pragma user_version')[0]);
  const names = values(
    "select name from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by rowid",
  );
  const isUnused = names.length === 0 && version === 0 && Number(values('pragma application_id')[0]) === 0;
  const columns = values("select name from pragma_table_info('data')");
  const has = (/** @type {string[]} */ ...wanted) => wanted.every((name) => columns.includes(name));
  const isOwn =
    has('id', 'co2', 'voc', 'created_at') && (version === 0 || (has('sensor') && names.includes('sensors')));
  if (isUnused || isOwn) return;
  const shown = names.slice(0, SHOWN_NAMES).map((name) => `"${name}"`);
  const contents = `contains ${shown.join(', ') || 'no table'}${names.length > SHOWN_NAMES ? ', …' : ''}`;
  throw new FileError(
    `it is a database of another program (it ${contents}), and was not changed. Set DATABASE_PATH to another file`,
  );
}

const SHOWN_NAMES = 3;
