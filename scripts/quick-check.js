/** `node scripts/quick-check.js FILE`: runs SQLite's quick check and prints its first finding, or `ok`. */
import { pathToFileURL } from 'node:url';
import Database from 'libsql';

const database = new Database(`${pathToFileURL(String(process.argv[2]))}?mode=ro`);
let finding;
try {
  [finding] = database.prepare('pragma quick_check(1)').pluck().all();
} catch (error) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  // A file that is locked or out of reach isn't damaged.
  if (code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') throw error;
  finding = message;
}
// The first line may be just the database's name.
console.log(String(finding).split('\n').at(-1));
