/** `npm run restore`: puts a copy in the place of the database, and keeps what was there. */
import { commandLine } from '../app/config/installation.server.js';
import { restoreDatabase } from '../app/store/sqlite/file/sqlite-copy.server.js';
import { databasePath, fileArgument } from './database-arguments.js';
import { fail } from './fail.js';

const USAGE = `usage: ${commandLine('restore', 'FILE')}

  FILE  a copy that ${commandLine('backup')} has made

It becomes the file that DATABASE_PATH names. Stop the server first.`;

const copy = fileArgument(USAGE);
try {
  const { readings, newest, kept } = restoreDatabase(copy, databasePath());
  console.log(`${readings} readings restored from ${copy}, the newest from ${newest ?? 'never'}`);
  if (kept) console.log(`the former database is kept in ${kept}`);
} catch (error) {
  fail(`Nothing was restored: ${/** @type {Error} */ (error).message}`, 1);
}
