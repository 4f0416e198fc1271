/**
 * `npm run seed`: fills an embedded store with readings of a room that nobody has measured, 15 s apart and
 * ending now, for trying the dashboard full, for screenshots and for the bench.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_DATABASE_PATH } from '../app/config/defaults.server.js';
import { loadEnvFile } from '../app/config/env-file.server.js';
import { INDEX, openSqliteFile } from '../app/store/sqlite/sqlite-file.server.js';
import { createProgress } from './progress.js';
import { createRoomAir } from './room-air.js';

const USAGE = `usage: npm run seed -- --readings N [--add] [--seed NUMBER]

  --readings N     how many, 15 s apart, the newest one taken now
  --add            even if there are readings in the store already
  --seed NUMBER    which room air, 1 if not given: the same number makes the same air at the same times

They go into the file that DATABASE_PATH names, or ${DEFAULT_DATABASE_PATH}.`;

const SPACING_MS = 15_000;
/** Rows in one statement, and so in one transaction. */
const ROWS = 5000;

loadEnvFile();
const { readings, add, seed } = readArguments();
const file = resolve(process.env.DATABASE_PATH || DEFAULT_DATABASE_PATH);
const { database, close } = openStore();
const isEmpty = database.prepare('select 1 from data limit 1').all().length === 0;
if (!isEmpty && !add) fail(`${file} has readings already. Say --add to put these beside them.`, 1);

console.log(`${readings} readings into ${file}, --seed ${seed}`);
const progress = createProgress(process.stdout, readings);
// WAL keeps the file whole without a wait for the disk at every commit, and one long wait ends it.
database.pragma('synchronous = NORMAL');
// An index is built faster than it is kept.
database.exec('drop index data_newest');
fill();
progress.update(readings, 'building the index');
database.exec(INDEX);
database.pragma('wal_checkpoint(TRUNCATE)');
close();
progress.say(`${readings} readings stored in ${progress.elapsed()}`);

function fill() {
  const now = Date.now();
  const localMs = new Date(now).getTimezoneOffset() * -60_000;
  const nextReading = createRoomAir(seed, SPACING_MS);
  const insertMany = prepareInsert(ROWS);
  let done = 0;
  while (done < readings) {
    const rows = Math.min(ROWS, readings - done);
    const bound = [];
    for (const end = done + rows; done < end; done++) {
      const time = now - (readings - 1 - done) * SPACING_MS;
      const { co2, voc } = nextReading(time + localMs);
      bound.push(co2, voc, new Date(time).toISOString());
    }
    (rows === ROWS ? insertMany : prepareInsert(rows)).run(...bound);
    progress.update(done, 'filling');
  }
}

/** @param {number} rows */
function prepareInsert(rows) {
  return database.prepare(`insert into data (co2, voc, created_at) values ${Array(rows).fill('(?, ?, ?)')}`);
}

function openStore() {
  try {
    return openSqliteFile(file);
  } catch (error) {
    return fail(/** @type {Error} */ (error).message, 1);
  }
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        readings: { type: 'string' },
        add: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
      },
    });
    return {
      readings: wholeNumber('readings', values.readings),
      add: values.add,
      seed: wholeNumber('seed', values.seed),
    };
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${USAGE}`, 2);
  }
}

/**
 * @param {string} name
 * @param {string | undefined} text
 */
function wholeNumber(name, text) {
  if (text === undefined || !/^\d{1,9}$/.test(text)) throw new Error(`--${name} wants a whole number`);
  return Number(text);
}

/**
 * @param {string} message
 * @param {number} exitCode
 * @returns {never}
 */
function fail(message, exitCode) {
  console.error(message);
  process.exit(exitCode);
}
