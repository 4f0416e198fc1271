/** `npm run restore`: replaces the database with a copy, and keeps the previous file. */
import { commandLine } from '../app/config/installation.server.js';
import { counted } from '../app/readings/format/counted.js';
import { restoreDatabase } from '../app/store/sqlite/file/sqlite-copy.server.js';
import { databaseInUsage, databasePath, onlyFile, readArguments, requireFile } from './arguments.js';
import { fail, messageOf } from './fail.js';

const USAGE = () => `usage: ${commandLine('restore', 'FILE')}

  FILE  a copy made by ${commandLine('backup')}

It replaces ${databaseInUsage()}. The former file is kept
beside it. Stop the server first.`;

const copy = readArguments(USAGE, {}, (_, words) => onlyFile(words));
requireFile(copy);
const file = databasePath();
try {
  const { readings, newest, kept } = restoreDatabase(copy, file);
  console.log(
    `${counted(readings, 'reading')} restored from ${copy} to ${file}${newest ? `, the newest from ${newest}` : ''}`,
  );
  if (kept) console.log(`the former database is kept in ${kept}`);
} catch (error) {
  fail(`Nothing was restored: ${messageOf(error)}`, 1);
}
