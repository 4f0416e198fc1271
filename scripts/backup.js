/** `npm run backup`: makes a verified copy of the database, even while a server uses it. */
import { commandLine } from '../app/config/installation.server.js';
import { counted } from '../app/readings/format/counted.js';
import { backUpDatabase } from '../app/store/sqlite/file/sqlite-copy.server.js';
import { databaseInUsage, databasePath, isHosted, onlyFile, readArguments } from './arguments.js';
import { fail, messageOf } from './fail.js';

const USAGE = () => `usage: ${commandLine('backup', 'FILE')}

  FILE  where to write the copy; must not exist

It copies ${databaseInUsage()}. A server may be using that file. If SUPABASE_URL is set, the readings
come from the server, and FILE has the format of its extension, or is CSV without one.`;

const target = readArguments(USAGE, {}, (_, words) => onlyFile(words));
if (isHosted()) {
  console.log(`The readings are in a Supabase project: this does the same as ${commandLine('export')}.`);
  await import('./export.js');
} else {
  backUp();
}

function backUp() {
  const file = databasePath();
  try {
    const { readings, newest } = backUpDatabase(file, target);
    console.log(
      `${counted(readings, 'reading')} of ${file} backed up to ${target}${newest ? `, the newest from ${newest}` : ''}`,
    );
  } catch (error) {
    fail(`No backup was made: ${messageOf(error)}`, 1);
  }
}
