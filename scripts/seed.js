/**
 * `npm run seed`: fills the SQLite store with simulated readings from a living room, 15 s apart and ending now, for a full
 * dashboard and for benchmarks.
 */
import { commandLine } from '../app/config/installation.server.js';
import { openSqliteFile } from '../app/store/sqlite/file/sqlite-file.server.js';
import { databaseInUsage, databasePath, readArguments, sensorName } from './arguments.js';
import { firstValue } from './database.js';
import { fail, messageOf } from './fail.js';
import { createProgress } from './progress.js';
import { createRoomAir } from './seed/room-air.js';

/** A file with at most this many readings counts as a trial, such as after the README's first steps. */
const FEW = 10;

const USAGE = () => `usage: ${commandLine('seed', '--readings N [--sensor NAME] [--add] [--seed NUMBER]')}

  --readings N     the number of readings to store, 15 s apart, ending now
  --sensor NAME    the sensor that gets the readings; without it, the unnamed sensor
  --add            store them even if the file has more than ${FEW} readings
  --seed NUMBER    seed of the simulated air, 1 by default; the same seed gives the same air at the same times

The readings go to ${databaseInUsage()}. Stop the
server first.`;

const INTERVAL_MS = 15_000;
const ROWS_PER_INSERT = 5000;

const { readings, sensor, add, seed } = seedArguments();
const file = databasePath();
const { database, close } = openStore();
const hasFew = database.prepare('select 1 from data limit ?').all(FEW + 1).length <= FEW;
if (!hasFew && !add)
  fail(`${file} has more than ${FEW} readings. Use --add to add simulated ones to them.`, 1);

console.log(`${readings} readings into ${file}, --seed ${seed}`);
const progress = createProgress(process.stdout, readings);
// With NORMAL, commits don't wait for the disk, and WAL keeps the file intact. The checkpoint below waits once.
database.pragma('synchronous = NORMAL');
insertReadings();
database.pragma('wal_checkpoint(TRUNCATE)');
close();
progress.print(`${readings} readings stored in ${progress.elapsed()}`);

function insertReadings() {
  const now = Date.now();
  const key = sensorKey();
  const utcOffsetMs = new Date(now).getTimezoneOffset() * -60_000;
  const nextReading = createRoomAir(seed, INTERVAL_MS);
  const insertFull = prepareInsert(ROWS_PER_INSERT);
  let done = 0;
  while (done < readings) {
    const rows = Math.min(ROWS_PER_INSERT, readings - done);
    const values = [];
    for (const end = done + rows; done < end; done++) {
      const time = now - (readings - 1 - done) * INTERVAL_MS;
      const { co2, voc } = nextReading(time + utcOffsetMs);
      values.push(key, time * 1000, co2, voc);
    }
    (rows === ROWS_PER_INSERT ? insertFull : prepareInsert(rows)).run(...values);
    progress.update(done, 'inserting');
  }
}

/** @param {number} rows */
function prepareInsert(rows) {
  return database.prepare(
    `insert into data (sensor, created_at, co2, voc) values ${Array(rows).fill('(?, ?, ?, ?)')}`,
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
    add: { type: 'boolean' },
    seed: { type: 'string', value: '2' },
  });
  return readArguments(USAGE, options, ({ readings, sensor = '', add = false, seed = '1' }, words) => {
    if (words.length > 0) throw new Error(`"${words[0]}" has no meaning here: remove it.`);
    if (readings === undefined)
      throw new Error('--readings is missing: say how many, such as --readings 5760.');
    return {
      readings: wholeNumber('readings', readings, 1),
      sensor: sensorName(sensor),
      add,
      seed: wholeNumber('seed', seed, 0),
    };
  });
}

/** @param {string} name @param {string} text @param {number} least */
function wholeNumber(name, text, least) {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${name} must be a whole number from ${least} to 999999999, not "${text}".`);
}
