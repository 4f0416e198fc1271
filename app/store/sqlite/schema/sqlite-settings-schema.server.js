/**
 * The tables of the embedded store's settings of sensors. Plain JavaScript, because the commands for the file run without a
 * build.
 */

/**
 * - `sensor_settings`: a row for each sensor whose settings aren't the defaults. `settings` is a `SensorSettings` as JSON.
 * - `sensor_aliases`: the former names of sensors.
 */
export const CREATE_SETTINGS = `
create table sensor_settings (
  sensor integer primary key references sensors,
  settings text not null
);
create table sensor_aliases (
  name text primary key,
  sensor integer not null references sensors
) without rowid;`;

/**
 * The column `raw` has the values that a correction has changed, as posted: JSON such as `{"co2": 464}`, or null. The readings of
 * `uncorrected_spans`, measured at or after `first` and before `until` (microseconds since 1970), must be corrected again.
 */
export const ADD_CORRECTIONS = `
alter table data add column raw text;
create table uncorrected_spans (
  sensor integer primary key references sensors,
  first integer not null,
  until integer not null
);`;

/**
 * The beginning of the UTC day in seconds since 1970 before which only slots are kept; null if all readings are. The slots of earlier
 * days can't be computed from the readings.
 */
export const ADD_RAW_FROM = 'alter table sensors add column raw_from integer';

/**
 * Renames a sensor in an open transaction. Its readings refer to it by its key, so nothing else changes.
 *
 * @param {import('libsql').Database} database
 * @param {number} key
 * @param {string} old
 * @param {string} name no other sensor has it
 */
export function renameSensor(database, key, old, name) {
  database.prepare('update sensors set name = ? where id = ?').run(name, key);
  for (const table of ['alert_sensors', 'alert_transitions', 'alert_messages'])
    database.prepare(`update or replace ${table} set sensor = ? where sensor = ?`).run(name, old);
  addAlias(database, key, old, name);
}

/**
 * Makes the former name of a sensor an alias, and its new name none.
 *
 * @param {import('libsql').Database} database
 * @param {number} key the sensor that gets the readings posted under `old`
 * @param {string} old
 * @param {string} name
 */
export function addAlias(database, key, old, name) {
  database.prepare('delete from sensor_aliases where name = ?').run(name);
  database.prepare('insert or replace into sensor_aliases (name, sensor) values (?, ?)').run(old, key);
}

/**
 * Removes a sensor without readings, and everything that refers to it.
 *
 * @param {import('libsql').Database} database
 * @param {number} key
 * @param {string} name
 */
export function removeSensor(database, key, name) {
  for (const table of [
    'sensor_settings',
    'sensor_aliases',
    'uncorrected_spans',
    'room_days',
    'slots',
    'roll_ups',
    'stale_days',
    'sensor_days',
    'notes',
  ])
    database.prepare(`delete from ${table} where sensor = ?`).run(key);
  // Rows of `alert_sensors` outlive the readings: a removed sensor would still be watched.
  database.prepare('delete from alert_sensors where sensor = ?').run(name);
  database.prepare('delete from sensors where id = ?').run(key);
}

/**
 * Returns the number of slots of removed readings that two sensors have at the same times: both may have had the same readings.
 *
 * @param {import('libsql').Database} database
 * @param {number} key
 * @param {number} target
 * @returns {number}
 */
export function sharedSlots(database, key, target) {
  const [count] = database
    .prepare(
      `select count(*) from slots join slots as other on other.sensor = ?2 and other.start = slots.start
      where slots.sensor = ?1 and slots.start < (select max(raw_from) from sensors where id in (?1, ?2))`,
    )
    .pluck()
    .all(key, target);
  return Number(count);
}

/**
 * Keeps the slots of two sensors as they are where readings of either were removed. A merge calls it first.
 *
 * @param {import('libsql').Database} database
 * @param {number} key
 * @param {number} target
 */
export function shareRawFrom(database, key, target) {
  database
    .prepare(
      'update sensors set raw_from = (select max(raw_from) from sensors where id in (?1, ?2)) where id in (?1, ?2)',
    )
    .run(key, target);
}

/**
 * Gives up to `atMost` of a sensor's slots whose readings were removed to another one, in an open transaction, and returns their
 * number. Marks the days of both.
 *
 * @param {import('libsql').Database} database
 * @param {number} key
 * @param {number} target
 * @param {number} atMost
 * @returns {number}
 */
export function moveSlots(database, key, target, atMost) {
  const starts = database
    .prepare(
      `select start from slots where sensor = ?1 and start < (select raw_from from sensors where id = ?1) and not exists (
        select 1 from slots as other where other.sensor = ?2 and other.start = slots.start
      ) limit ?3`,
    )
    .pluck()
    .all(key, target, atMost);
  const all = JSON.stringify(starts);
  database
    .prepare('update slots set sensor = ? where sensor = ? and start in (select value from json_each(?))')
    .run(target, key, all);
  const days = new Set(starts.map((start) => Math.floor(Number(start) / 86_400) * 86_400));
  const mark = database.prepare('insert into stale_days (sensor, day) values (?, ?) on conflict do nothing');
  for (const day of days)
    for (const near of [day - 86_400, day, day + 86_400])
      for (const sensor of [key, target]) mark.run(sensor, near);
  return starts.length;
}

/**
 * Gives up to `atMost` of a sensor's readings to another one, in an open transaction, and returns their number. Triggers mark the
 * days of both, whose history is then computed again. Readings at times of the other sensor's stay.
 *
 * @param {import('libsql').Database} database
 * @param {number} key
 * @param {number} target
 * @param {number} atMost
 * @returns {number}
 */
export function moveReadings(database, key, target, atMost) {
  return database
    .prepare(
      `update or ignore data set sensor = ?2 where id in (
        select id from data where sensor = ?1 and not exists (
          select 1 from data as other where other.sensor = ?2 and other.created_at = data.created_at
        ) limit ?3
      )`,
    )
    .run(key, target, atMost).changes;
}
