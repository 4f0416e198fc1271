/** `node scripts/quick-check.js FILE`: runs SQLite's quick check and prints its first finding, or `ok`. */
import { pathToFileURL } from 'node:url';
import Database from 'libsql';

const database = new Database(`${pathToFileURL(String(process.argv[2]))}?mode=ro`);
let finding;
try {
  [finding] = database.prepare('pragma quick_check(1)').pluck().all();
} catch (error) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  // A locked or unreadable file isn't damaged.
  if (code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') throw error;
  finding = message;
}
// Print the last line, because the first may be only the database's name.
console.log(String(finding).split('\n').at(-1));
