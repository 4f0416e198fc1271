/**
 * The tables of the embedded store's notes and of its findings about rooms. Plain JavaScript, because the commands for the
 * file run without a build.
 */

/**
 * - `notes`: times are in microseconds since 1970. `ends_at` is null for a moment. The sensor may have no readings.
 * - `room_days`: `day` is the start of a UTC day, in seconds since 1970. A row whose key no longer matches is computed
 *   again.
 */
export const CREATE_ROOMS = `
create table notes (
  id integer primary key autoincrement,
  sensor integer not null references sensors,
  begins_at integer not null,
  ends_at integer,
  text text not null,
  check (ends_at > begins_at)
);
create index notes_begins_at on notes (sensor, begins_at);
create table room_days (
  sensor integer not null,
  day integer not null,
  key text not null,
  findings text not null,
  primary key (sensor, day)
) without rowid;`;
