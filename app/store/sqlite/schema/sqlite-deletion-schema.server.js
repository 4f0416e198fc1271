/**
 * The tables of the embedded store's deleted readings. Plain JavaScript, because the commands for the file run without a build.
 */
import { FIRST_FIELDS, fieldsOf } from './sqlite-roll-up-schema.server.js';

/**
 * - `deletions`: `until` is in microseconds since 1970. The sensor is stored by name, which may be a former one. A row stays after
 *   its readings were given up, so that its `id` is still known.
 * - `deleted_data`: the readings as they were. Further metrics get columns as in `data`.
 */
const CREATE_TABLES = `
create table deletions (
  key integer primary key,
  id text not null unique,
  sensor text not null,
  until integer not null
);
create table deleted_data (
  deletion integer not null,
  id integer not null,
  created_at integer not null,
  raw text,
  ${FIRST_FIELDS.map((field) => `${field} real`).join(', ')},
  primary key (deletion, id)
) without rowid;`;

/**
 * Creates the tables in a database that may have further metrics.
 *
 * @param {import('libsql').Database} database
 */
export function createDeletions(database) {
  database.exec(CREATE_TABLES);
  for (const field of fieldsOf(database).slice(FIRST_FIELDS.length))
    database.exec(`alter table deleted_data add column ${field} real`);
}
