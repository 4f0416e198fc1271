/**
 * The tables of the embedded store's roll-ups, and the triggers that note changes which other programs make (decision
 * 0015). Plain JavaScript, because the commands for the file run without a build.
 */
import { REFUSE_UNREADABLE } from './sqlite-readable-rows.server.js';

/** @param {string} sql for one metric, in which `%` stands for its name */
const ofMetrics = (sql) => ['co2', 'voc'].map((metric) => sql.replaceAll('%', metric)).join(',\n  ');

/** A sum is null where infinities have cancelled each other out. */
const TOTALS_TYPES = '%_values integer not null, %_sum real, %_lowest real, %_highest real';
const SECONDS_TYPES = '%_good integer not null, %_moderate integer not null, %_poor integer not null';

/** The columns of `slots` for all metrics. */
export const TOTALS = ofMetrics('%_values, %_sum, %_lowest, %_highest');

/** The columns of `roll_ups` for all metrics. */
export const LEVELLED_TOTALS = ofMetrics('%_values, %_sum, %_lowest, %_highest, %_good, %_moderate, %_poor');

/** The same columns, of many rows together. */
export const MERGED_TOTALS = ofMetrics(
  `sum(%_values), iif(count(%_sum) = count(*), sum(%_sum), null), min(%_lowest), max(%_highest),
  sum(%_good), sum(%_moderate), sum(%_poor)`,
);

/** The same columns for rows of `data`. */
export const ROW_TOTALS = ofMetrics('count(%), iif(count(%) = 0, 0, sum(%)), min(%), max(%)');

/** Added to a time, it makes SQL's division round down before 1970 too: a million days in microseconds. */
const MILLION_DAYS = 86_400_000_000_000_000;

/**
 * Returns SQL for the beginning, in seconds since 1970, of the slot or day that a time lies in.
 *
 * @param {string} time SQL, in microseconds since 1970
 * @param {number} seconds the length of the slot or day
 */
const beginning = (time, seconds) =>
  `((${time} + ${MILLION_DAYS}) / ${seconds * 1e6} * ${seconds} - ${MILLION_DAYS / 1e6})`;

/** @param {string} time */
export const slotAt = (time) => beginning(time, 300);

/** @param {string} time */
export const dayAt = (time) => beginning(time, 86_400);

/**
 * All times are in seconds since 1970, days are those of UTC.
 *
 * - `slots`: the readings of five minutes each, complete but for the days that have a `slots_from`.
 * - `roll_ups`: quarters (`step` 900), hours (3600) and days (86400), computed from slots. They are right but for stale days.
 * - `stale_days`: with `slots_from`, the day's slots from that one on have to be computed from the readings first.
 * - `level_limits`: the limits that the roll-ups' seconds in each level were computed with.
 */
const CREATE_TABLES = `
create table slots (
  sensor integer not null,
  start integer not null,
  readings integer not null,
  ${ofMetrics(TOTALS_TYPES)},
  primary key (sensor, start)
) without rowid;
create table roll_ups (
  sensor integer not null,
  step integer not null,
  start integer not null,
  readings integer not null,
  ${ofMetrics(`${TOTALS_TYPES},
  ${SECONDS_TYPES}`)},
  primary key (sensor, step, start)
) without rowid;
create table stale_days (
  sensor integer not null,
  day integer not null,
  slots_from integer,
  primary key (sensor, day)
) without rowid;
create index stale_days_day on stale_days (day);
create index stale_days_slots on stale_days (day) where slots_from is not null;
create table level_limits (
  co2_good real not null,
  co2_moderate real not null,
  voc_good real not null,
  voc_moderate real not null
);`;

/**
 * Within the store's own inserts there is a row of this name in SQLite's table of ids: the store updates slots itself,
 * many readings at once. Other transactions never see it, and each insert writes that table's page anyway.
 */
export const BEGIN_OWN_INSERTS = "insert into sqlite_sequence (name, seq) values ('own inserts', 0)";
export const END_OWN_INSERTS = "delete from sqlite_sequence where name = 'own inserts'";
const IS_FOREIGN = "not exists (select 1 from sqlite_sequence where name = 'own inserts')";

/**
 * Returns SQL that has the slots of a row's day computed again.
 *
 * @param {'old' | 'new' | 'data'} row
 * @param {string} [source] where the row is, if it isn't the trigger's
 */
const markDay = (row, source = 'where true') => `
  insert into stale_days (sensor, day, slots_from)
  select ${row}.sensor, ${dayAt(`${row}.created_at`)}, ${dayAt(`${row}.created_at`)} ${source}
  on conflict do update set slots_from = day where slots_from is not day;`;

/** `insert or replace` fires no trigger for the row that it deletes: one with the same id may be of another day. */
const CREATE_TRIGGERS = `
create trigger data_inserted after insert on data when ${IS_FOREIGN} begin
  ${REFUSE_UNREADABLE} ${markDay('new')} end;
create trigger data_replaced before insert on data when new.id > 0 and ${IS_FOREIGN} begin
  ${markDay('data', 'from data where id = new.id')} end;
create trigger data_updated after update on data begin ${markDay('old')} ${markDay('new')} end;
create trigger data_deleted after delete on data begin ${markDay('old')} end;`;

/** Adds readings to a slot. Parameters: sensor, start, readings and the totals. */
export const UPSERT_SLOT = `
insert into slots values (?, ?, ?, ${ofMetrics('?, ?, ?, ?')})
on conflict do update set readings = readings + excluded.readings,
  ${ofMetrics(`%_values = %_values + excluded.%_values, %_sum = %_sum + excluded.%_sum,
  %_lowest = coalesce(min(%_lowest, excluded.%_lowest), %_lowest, excluded.%_lowest),
  %_highest = coalesce(max(%_highest, excluded.%_highest), %_highest, excluded.%_highest)`)}`;

/** Marks each day that has readings. It jumps from day to day in the index of each sensor. */
const MARK_DAYS = `
insert into stale_days (sensor, day, slots_from)
with recursive days (sensor, day) as (
  select id, (select ${dayAt('min(created_at)')} from data where sensor = sensors.id) from sensors
  union all
  select sensor, (
    select ${dayAt('min(created_at)')} from data where sensor = days.sensor and created_at >= (day + 86400) * 1000000
  ) from days where day is not null
)
select sensor, day, day from days where day is not null;`;

/**
 * Creates the tables and triggers in a database that may have readings already.
 *
 * @param {import('libsql').Database} database
 */
export function createRollUps(database) {
  database.exec(CREATE_TABLES + CREATE_TRIGGERS + MARK_DAYS);
}
