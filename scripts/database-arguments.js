/** The arguments of the commands for the database file. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { expandHome } from '../app/config/database-path.server.js';
import { DEFAULT_DATABASE_PATH } from '../app/config/defaults.server.js';
import { loadEnvFile } from '../app/config/env-file.server.js';
import { fail } from './fail.js';
import { showUsageIfAsked } from './show-usage.js';

/** Returns the file that `DATABASE_PATH` names, in the environment or `.env`. */
export function databasePath() {
  loadEnvFile();
  return resolve(expandHome(process.env.DATABASE_PATH || DEFAULT_DATABASE_PATH));
}

/**
 * Returns the only argument. Without it, with another one, or with `--help`, prints the usage and ends the process.
 *
 * @param {string} usage
 */
export function fileArgument(usage) {
  showUsageIfAsked(usage);
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    const [file, ...others] = positionals;
    if (!file || others.length > 0) throw new Error('exactly one FILE is needed');
    return file;
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${usage}`, 2);
  }
}
