/**
 * `npm run seed`: fills the SQLite store with simulated readings from a living room, 15 s apart and ending now, for a full
 * dashboard and for benchmarks.
 */
import { commandLine } from '../app/config/installation.server.js';
import { counted } from '../app/readings/format/counted.js';
import { openSqliteFile } from '../app/store/sqlite/file/sqlite-file.server.js';
import { addMetrics, fieldsOf } from '../app/store/sqlite/schema/sqlite-roll-up-schema.server.js';
import { databaseInUsage, databasePath, readArguments, sensorName } from './arguments.js';
import { firstValue, inTransaction } from './database.js';
import { fail, messageOf } from './fail.js';
import { createProgress } from './progress.js';
import { createRoomAir } from './seed/room-air.js';
import { createRoomClimate, SIMULATED } from './seed/room-climate.js';

/** A file with at most this many readings counts as a trial, such as after the README's first steps. */
const FEW = 10;

const USAGE =
  () => `usage: ${commandLine('seed', '--readings N [--sensor NAME] [--metrics LIST] [--add] [--seed NUMBER]')}

  --readings N     the number of readings to store, 15 s apart, ending now
  --sensor NAME    the sensor that gets the readings; without it, the unnamed sensor
  --metrics LIST   the metrics of the readings, such as co2,temperature, or all; co2,voc by default
  --add            store them even if the file has more than ${FEW} readings
  --seed NUMBER    seed of the simulated air, 1 by default; the same seed gives the same air at the same times

The readings go to ${databaseInUsage()}. Stop the
server first.`;

/** @typedef {import('./seed/room-climate.js').SimulatedField} SimulatedField */

const INTERVAL_MS = 15_000;

const { readings, sensor, metrics, add, seed } = seedArguments();
// SQLite allows 32,766 values per statement.
const ROWS_PER_INSERT = Math.floor(20_000 / (2 + metrics.length));
const file = databasePath();
const { database, close } = openStore();
const hasFew = database.prepare('select 1 from data limit ?').all(FEW + 1).length <= FEW;
if (!hasFew && !add)
  fail(`${file} has more than ${FEW} readings. Use --add to add simulated ones to them.`, 1);

console.log(`${counted(readings, 'reading')} into ${file}, --seed ${seed}`);
const progress = createProgress(process.stdout, readings);
// With NORMAL, commits don't wait for the disk, and WAL keeps the file intact. The checkpoint below waits once.
database.pragma('synchronous = NORMAL');
insertReadings();
database.pragma('wal_checkpoint(TRUNCATE)');
close();
progress.print(`${counted(readings, 'reading')} stored in ${progress.elapsed()}`);

function insertReadings() {
  const now = Date.now();
  const key = sensorKey();
  const utcOffsetMs = new Date(now).getTimezoneOffset() * -60_000;
  const nextAir = createRoomAir(seed, INTERVAL_MS);
  const withClimate = createRoomClimate(seed, INTERVAL_MS);
  const isAirOnly = metrics.every((field) => field === 'co2' || field === 'voc');
  const missing = metrics.filter((field) => !fieldsOf(database).includes(field));
  if (missing.length > 0) inTransaction(database, () => addMetrics(database, missing));
  const insertFull = prepareInsert(ROWS_PER_INSERT);
  let done = 0;
  while (done < readings) {
    const rows = Math.min(ROWS_PER_INSERT, readings - done);
    const values = [];
    for (const end = done + rows; done < end; done++) {
      const time = now - (readings - 1 - done) * INTERVAL_MS;
      const air = nextAir(time + utcOffsetMs);
      /** @type {Partial<Record<SimulatedField, number>>} */
      const reading = isAirOnly ? air : withClimate(time + utcOffsetMs, air);
      values.push(key, time * 1000, ...metrics.map((field) => reading[field]));
    }
    (rows === ROWS_PER_INSERT ? insertFull : prepareInsert(rows)).run(...values);
    progress.update(done, 'inserting');
  }
}

/** @param {number} rows */
function prepareInsert(rows) {
  return database.prepare(
    `insert into data (sensor, created_at, ${metrics}) values ${Array(rows).fill(`(?, ?${', ?'.repeat(metrics.length)})`)}`,
  );
}

/** Returns the sensor's `id`. Creates the sensor if missing. */
function sensorKey() {
  database.prepare('insert or ignore into sensors (name) values (?)').run(sensor);
  return firstValue(database, 'select id from sensors where name = ?', sensor);
}

function openStore() {
  try {
    return openSqliteFile(file);
  } catch (error) {
    return fail(messageOf(error), 1);
  }
}

function seedArguments() {
  const options = /** @type {const} */ ({
    readings: { type: 'string', value: '5760' },
    sensor: { type: 'string', value: 'Kitchen' },
    metrics: { type: 'string', value: 'all' },
    add: { type: 'boolean' },
    seed: { type: 'string', value: '2' },
  });
  return readArguments(
    USAGE,
    options,
    ({ readings, sensor = '', metrics = 'co2,voc', add = false, seed = '1' }, words) => {
      if (words.length > 0) throw new Error(`"${words[0]}" has no meaning here: remove it.`);
      if (readings === undefined)
        throw new Error('--readings is missing: say how many, such as --readings 5760.');
      return {
        readings: wholeNumber('readings', readings, 1),
        sensor: sensorName(sensor),
        metrics: simulatedMetrics(metrics),
        add,
        seed: wholeNumber('seed', seed, 0),
      };
    },
  );
}

/** Parses `all` or `co2,temperature`. @param {string} text @returns {readonly SimulatedField[]} */
function simulatedMetrics(text) {
  if (text.trim() === 'all') return SIMULATED;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SIMULATED.some((field) => field === name));
  if (unknown === undefined) return SIMULATED.filter((field) => names.includes(field));
  throw new Error(`--metrics must be all, or a list of ${SIMULATED.join(', ')}, not "${text}".`);
}

/** @param {string} name @param {string} text @param {number} least */
function wholeNumber(name, text, least) {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${name} must be a whole number from ${least} to 999999999, not "${text}".`);
}
