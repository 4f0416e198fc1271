/** `npm run backup`: makes a verified copy of the database, while a server uses it or not. */
import { commandLine } from '../app/config/installation.server.js';
import { backUpDatabase } from '../app/store/sqlite/file/sqlite-copy.server.js';
import { databasePath, fileArgument } from './database-arguments.js';
import { fail } from './fail.js';
import { exportInstead, isHosted } from './hosted.js';

const USAGE = `usage: ${commandLine('backup', 'FILE')}

  FILE  where to write the copy; must not exist

The copy is made of the file that DATABASE_PATH names. A server may be using it. If SUPABASE_URL is set, the server is asked for
all readings, and FILE is CSV, or what its name ends with.`;

const target = fileArgument(USAGE);
if (isHosted()) await exportInstead();
else backUp();

function backUp() {
  try {
    const { readings, newest } = backUpDatabase(databasePath(), target);
    console.log(`${readings} readings backed up to ${target}, the newest from ${newest ?? 'never'}`);
  } catch (error) {
    fail(`No backup was made: ${/** @type {Error} */ (error).message}`, 1);
  }
}
