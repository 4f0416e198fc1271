import { openSqliteFile } from '../../app/store/sqlite/file/sqlite-file.server.js';

/**
 * Opens the database in `DATABASE_PATH` with the product's settings, table and indexes, but without the triggers that update the
 * history, because a baseline only stores rows. The rows' sensor has the id 1.
 */
export function openRows() {
  const { database, close } = openSqliteFile(/** @type {string} */ (process.env.DATABASE_PATH));
  const triggers = database.prepare("select name from sqlite_master where type = 'trigger'").pluck().all();
  for (const name of triggers) database.exec(`drop trigger ${name}`);
  database.exec("insert or ignore into sensors (id, name) values (1, '')");
  return { database, close };
}
