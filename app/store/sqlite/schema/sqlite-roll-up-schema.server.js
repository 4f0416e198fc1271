/**
 * The tables of the embedded store's roll-ups, the triggers that record changes by other programs (decision 0005), and
 * the columns of further metrics (decision 0004). Plain JavaScript, because the commands for the file run without a
 * build.
 */
import { TABLE } from '../../../readings/metric-table.js';
import { createRecheck, refuseEmpty, refuseUnreadable } from './sqlite-readable-rows.server.js';

/** The metrics of a new file. */
export const FIRST_FIELDS = Object.freeze(['co2', 'voc']);

/**
 * @param {readonly string[]} fields the columns of metrics
 * @param {string} sql for one metric, in which `%` stands for its field
 */
const ofMetrics = (fields, sql) => fields.map((field) => sql.replaceAll('%', field)).join(',\n  ');

/** The sum of a metric in `slots` that has no measurements, but faulty values. It shows that there are readings with the metric. */
export const ONLY_FAULTY = 1;

/** A sum is null if infinities cancelled each other out, or if the row is older than the metric's columns. */
const TOTALS_TYPES = '%_values integer not null, %_sum real, %_lowest real, %_highest real';
const SECONDS_TYPES = '%_good integer not null, %_moderate integer not null, %_poor integer not null';

/** SQL that is true if a metric has values in any of the rows of `slots`, even if only faulty ones. @param {string} field */
export const hasValues = (field) => `max(iif(${field}_values > 0, 1, coalesce(${field}_sum, 0)))`;

/** The columns of `slots`. @param {readonly string[]} fields */
export const totals = (fields) => ofMetrics(fields, '%_values, %_sum, %_lowest, %_highest');

/** The columns of `roll_ups`. @param {readonly string[]} fields */
export const levelledTotals = (fields) =>
  ofMetrics(fields, '%_values, %_sum, %_lowest, %_highest, %_good, %_moderate, %_poor');

/** The columns of `roll_ups`, merged from many rows. @param {readonly string[]} fields */
export const mergedTotals = (fields) =>
  ofMetrics(
    fields,
    `sum(%_values), iif(max(%_values > 0 and %_sum is null), null, sum(%_sum)), min(%_lowest), max(%_highest),
  sum(%_good), sum(%_moderate), sum(%_poor)`,
  );

/** The columns of `slots` for rows of `data`, without faulty values. @param {readonly string[]} fields */
export const rowTotals = (fields) =>
  fields
    .map((field) => {
      const value = `iif(${isPlausible(field, field)}, ${field}, null)`;
      return `count(${value}), iif(count(${value}) = 0, count(${field}) > 0, sum(${value})), min(${value}), max(${value})`;
    })
    .join(',\n  ');

/**
 * Returns SQL that is true for a measurement, and false or null for a faulty or missing value.
 *
 * @param {string} field
 * @param {string} value SQL
 */
function isPlausible(field, value) {
  const { plausible } = TABLE.find((metric) => metric.field === field) ?? {};
  return plausible ? `${value} between ${plausible.from} and ${plausible.to}` : 'true';
}

/**
 * Marks the days with faulty values, whose slots were computed when these still counted. They are computed again in the background.
 * Dirty days are marked too, because they may have no roll-up that shows their lowest and highest values.
 *
 * @param {import('libsql').Database} database
 */
export function recountFaultyValues(database) {
  const isFaulty = fieldsOf(database).map(
    (field) =>
      `not ${isPlausible(field, `${field}_lowest`)} or not ${isPlausible(field, `${field}_highest`)}`,
  );
  database.exec(`update stale_days set slots_from = day;
    insert into stale_days (sensor, day, slots_from)
    select sensor, start, start from sensors cross join roll_ups on sensor = sensors.id and step = 86400
    where ${isFaulty.join(' or ')}
    on conflict do nothing`);
}

/** A million days in microseconds. Added to a time, they make SQL's division round down even before 1970. */
const MILLION_DAYS = 86_400_000_000_000_000;

/**
 * Returns SQL for the beginning of the slot or day that contains a time, in seconds since 1970.
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
 * All times are in seconds since 1970, and days are in UTC.
 *
 * - `slots`: the readings of five minutes each, complete except on days with a `slots_from`.
 * - `roll_ups`: quarters of an hour (`step` 900), hours (3600) and days (86400), computed from slots. They are correct
 *   except on dirty days.
 * - `stale_days`: the dirty days, whose roll-ups must be computed again. With `slots_from`, the day's slots from then on
 *   must first be computed from the readings.
 * - `level_limits`: the thresholds with which the roll-ups' seconds in each level were computed.
 */
const CREATE_TABLES = `
create table slots (
  sensor integer not null,
  start integer not null,
  readings integer not null,
  ${ofMetrics(FIRST_FIELDS, TOTALS_TYPES)},
  primary key (sensor, start)
) without rowid;
create table roll_ups (
  sensor integer not null,
  step integer not null,
  start integer not null,
  readings integer not null,
  ${ofMetrics(FIRST_FIELDS, `${TOTALS_TYPES},\n  ${SECONDS_TYPES}`)},
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
 * During the store's own inserts, `sqlite_sequence` has a row with this name. The triggers then skip the inserted rows,
 * because the store updates the slots itself, for many readings at once. Other transactions never see the row, and each
 * insert writes the page of `sqlite_sequence` anyway.
 */
export const BEGIN_OWN_INSERTS = "insert into sqlite_sequence (name, seq) values ('own inserts', 0)";
export const END_OWN_INSERTS = "delete from sqlite_sequence where name = 'own inserts'";
const IS_FOREIGN = "not exists (select 1 from sqlite_sequence where name = 'own inserts')";

/**
 * Returns SQL that marks the slots of a row's day to be computed again.
 *
 * @param {'old' | 'new' | 'data'} row
 * @param {string} [source] the source of the row, if it isn't the trigger's
 */
const markDay = (row, source = 'where true') => `
  insert into stale_days (sensor, day, slots_from)
  select ${row}.sensor, ${dayAt(`${row}.created_at`)}, ${dayAt(`${row}.created_at`)} ${source}
  on conflict do update set slots_from = day where slots_from is not day;`;

/**
 * Returns SQL for the triggers. `data_replaced` is needed because `insert or replace` fires no trigger for the deleted
 * row, which may be from another day than the new one.
 *
 * @param {readonly string[]} fields
 * @param {string} [andNew] statements about the row `new`
 */
const createTriggers = (fields, andNew = '') => `
create trigger data_inserted after insert on data when ${IS_FOREIGN} begin
  ${refuseUnreadable(fields)} ${markDay('new')} ${andNew} end;
create trigger data_replaced before insert on data when new.id > 0 and ${IS_FOREIGN} begin
  ${markDay('data', 'from data where id = new.id')} end;
create trigger data_updated after update on data begin ${markDay('old')} ${markDay('new')} ${andNew} end;
create trigger data_deleted after delete on data begin ${markDay('old')} end;`;

/** Adds readings to a slot. Parameters: sensor, start, readings and the totals. @param {readonly string[]} fields */
export const upsertSlot = (fields) => `
insert into slots (sensor, start, readings, ${totals(fields)}) values (?, ?, ?, ${ofMetrics(fields, '?, ?, ?, ?')})
on conflict do update set readings = readings + excluded.readings,
  ${ofMetrics(
    fields,
    `%_values = %_values + excluded.%_values, %_sum = case
    when excluded.%_values > 0 then iif(%_values = 0, 0, %_sum) + excluded.%_sum
    when %_values > 0 then %_sum
    else max(coalesce(%_sum, 0), excluded.%_sum)
  end,
  %_lowest = coalesce(min(%_lowest, excluded.%_lowest), %_lowest, excluded.%_lowest),
  %_highest = coalesce(max(%_highest, excluded.%_highest), %_highest, excluded.%_highest)`,
  )}`;

/** The days on which each sensor has readings. Jumps from day to day in the sensor's index. */
const DAYS = `
with recursive days (sensor, day) as (
  select id, (select ${dayAt('min(created_at)')} from data where sensor = sensors.id) from sensors
  union all
  select sensor, (
    select ${dayAt('min(created_at)')} from data where sensor = days.sensor and created_at >= (day + 86400) * 1000000
  ) from days where day is not null
)`;

/**
 * Creates the tables and triggers in a database that may already have readings.
 *
 * @param {import('libsql').Database} database
 */
export function createRollUps(database) {
  database.exec(`${CREATE_TABLES} ${createTriggers(FIRST_FIELDS)}
    insert into stale_days (sensor, day, slots_from) ${DAYS} select sensor, day, day from days where day is not null`);
}

/** Adds the day of a row to `sensor_days`. */
export const NOTE_DAY = 'insert into sensor_days (day, sensor) values (?, ?) on conflict do nothing';

/** @param {readonly string[]} fields */
const recreateTriggers = (fields) => `
${['inserted', 'replaced', 'updated', 'deleted', 'rechecked'].map((name) => `drop trigger data_${name};`).join(' ')}
${createTriggers(fields, `${refuseEmpty(fields)} ${NOTE_DAY.replace('?, ?', `${dayAt('new.created_at')}, new.sensor`)};`)}
${createRecheck(fields)}`;

/**
 * Removes two indexes of `data`, which took a third of the file (decision 0004), and allows readings with neither CO2 nor
 * VOC. `sensor_days` lists each sensor's days, for reading all sensors in the order of time. The readings of a listed day may
 * have been deleted.
 *
 * @param {import('libsql').Database} database
 */
export function removeIndexes(database) {
  database.exec(`drop index if exists data_time; drop index if exists data_sensor;
    create table sensor_days (day integer not null, sensor integer not null, primary key (day, sensor)) without rowid;
    insert into sensor_days (sensor, day) ${DAYS} select sensor, day from days where day is not null;
    create table level_thresholds (metric text primary key, good real not null, moderate real not null) without rowid;
    insert into level_thresholds select 'co2', co2_good, co2_moderate from level_limits
    union all select 'voc', voc_good, voc_moderate from level_limits;
    drop table level_limits;
    alter table alert_transitions add column others text;
    ${recreateTriggers(FIRST_FIELDS)}`);
  removeCheck(database);
}

/**
 * Removes the check constraint of `data`. It is only part of the schema, so no row changes:
 * https://sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes
 *
 * @param {import('libsql').Database} database
 */
function removeCheck(database) {
  const one = (/** @type {string} */ sql) => database.prepare(sql).pluck().all()[0];
  const sql = String(one("select sql from sqlite_schema where type = 'table' and name = 'data'"));
  database.exec('pragma writable_schema = on');
  database
    .prepare("update sqlite_schema set sql = ? where type = 'table' and name = 'data'")
    .run(sql.replace(/,\s*check \(co2 is not null or voc is not null\)/, ''));
  database.exec(
    `pragma schema_version = ${Number(one('pragma schema_version')) + 1}; pragma writable_schema = reset`,
  );
}

/**
 * Returns the metrics for which a database has columns, in the order of the columns.
 *
 * @param {import('libsql').Database} database
 * @returns {string[]}
 */
export function fieldsOf(database) {
  return columnsOf(database).filter((name) => !['id', 'sensor', 'created_at', 'raw'].includes(name));
}

/**
 * Returns the columns of the table `data`.
 *
 * @param {import('libsql').Database} database
 */
export function columnsOf(database) {
  return /** @type {string[]} */ (
    database.prepare("select name from pragma_table_info('data')").pluck().all()
  );
}

/**
 * Adds the columns of further metrics. Takes the same time for any number of rows.
 *
 * @param {import('libsql').Database} database in a transaction
 * @param {readonly string[]} fields
 */
export function addMetrics(database, fields) {
  const add = (/** @type {string} */ table, /** @type {string} */ columns) =>
    columns
      .replaceAll('integer not null', 'integer not null default 0')
      .split(',')
      .map((column) => `alter table ${table} add column ${column};`)
      .join('\n');
  const all = [...fieldsOf(database), ...fields];
  // Files of older versions have none yet.
  const hasDeletions = database.prepare("select 1 from sqlite_master where name = 'deleted_data'").get();
  database.exec(`${add('data', ofMetrics(fields, '% real'))}
    ${hasDeletions ? add('deleted_data', ofMetrics(fields, '% real')) : ''}
    ${add('slots', ofMetrics(fields, TOTALS_TYPES))}
    ${add('roll_ups', ofMetrics(fields, `${TOTALS_TYPES}, ${SECONDS_TYPES}`))}
    drop view readings; ${createView(all)} ${recreateTriggers(all)}`);
}

/**
 * Creates the view that shows readings to people who open the file with the sqlite3 shell.
 *
 * @param {readonly string[]} fields
 */
export const createView = (fields) => `
create view readings as
select data.id, sensors.name as sensor,
  strftime('%Y-%m-%dT%H:%M:%S', created_at / 1000000, 'unixepoch') || case created_at % 1000
    when 0 then printf('.%03dZ', created_at / 1000 % 1000)
    else printf('.%06dZ', created_at % 1000000)
  end as created_at, ${fields.join(', ')}
from data join sensors on sensors.id = sensor;`;
