/**
 * The tables for notifications in the embedded store (decision 0010). Plain JavaScript, because the commands for the
 * file run without a build.
 */

/**
 * Times are in microseconds since 1970. Sensors are stored by name, because `alert_sensors` outlives their readings.
 *
 * - `alert_progress`: one row, the id up to which readings are judged.
 * - `alert_sensors`: a row for each watched sensor. `air` is a `SensorAir` as JSON.
 * - `alert_transitions`: `before` and `state` are the states before and after a transition.
 * - `alert_messages`: `number` is the order of sending. `sensor`, `at` and `state` identify the transition that caused
 *   the message.
 * - `alert_deliveries`: a row for each address of a message, `pending`, `delivered`, `failed` or `replaced`.
 */
export const CREATE_ALERTS = `
create table alert_progress (
  cursor integer not null
);
create table alert_sensors (
  sensor text primary key,
  air text not null,
  told text not null,
  told_at integer
) without rowid;
create table alert_transitions (
  id integer primary key,
  sensor text not null,
  at integer not null,
  state text not null,
  before text not null,
  since integer not null,
  co2 real,
  voc real,
  air text not null,
  is_withdrawn integer not null default 0,
  unique (sensor, at, state)
);
create index alert_transitions_at on alert_transitions (at);
create table alert_messages (
  number integer primary key autoincrement,
  id text not null unique,
  created_at integer not null,
  sensor text,
  at integer,
  state text,
  event text not null
);
create index alert_messages_created_at on alert_messages (created_at);
create index alert_messages_transition on alert_messages (sensor, at, state) where sensor is not null;
create table alert_deliveries (
  message integer not null references alert_messages on delete cascade,
  address text not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  retry_at integer,
  primary key (message, address)
) without rowid;
create index alert_deliveries_pending on alert_deliveries (address, message) where state = 'pending';
create table alert_attempts (
  message integer not null,
  address text not null,
  at integer not null,
  outcome text not null,
  answer text not null,
  primary key (message, address, at),
  foreign key (message, address) references alert_deliveries on delete cascade
) without rowid;`;

/** `alert_watched` has one row, a `Watch`. The index `alert_messages_alone` is for messages without a transition. */
export const ADD_WATCHED = `
create table alert_watched (
  until integer not null,
  patience_ms integer not null
);
create index alert_messages_alone on alert_messages (number) where sensor is null;`;

/** Removes what was kept to judge late readings, and transitions that such readings had disproved. */
export const FORGET_LATE_READINGS = `
delete from alert_transitions where is_withdrawn;
alter table alert_transitions drop column is_withdrawn;
alter table alert_transitions drop column air;`;
