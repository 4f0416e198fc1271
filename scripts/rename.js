/** `npm run rename`: renames a sensor. The history stays, because readings refer to a sensor by its id. */
import { commandLine } from '../app/config/installation.server.js';
import { counted } from '../app/readings/format/counted.js';
import { nameLook, newNameFault, sameLookFault } from '../app/readings/sensor-name.js';
import {
  addAlias,
  moveSlots,
  renameSensor,
  sharedSlots,
  shareRawFrom,
} from '../app/store/sqlite/schema/sqlite-settings-schema.server.js';
import { databaseInUsage, readArguments, sensorName } from './arguments.js';
import { changeDatabase, firstValue, inTransaction, sensorKey } from './database.js';
import { changeSensor } from './running-server.js';

const USAGE = () => `usage: ${commandLine('rename', 'OLD NEW')}

  OLD  the name of a sensor; "" for the one without a name
  NEW  its new name. If a sensor has that name, it gets the readings. A device that goes on posting as OLD posts to NEW

It changes ${databaseInUsage()}, also while a server uses it.`;

const [old, name] = readArguments(USAGE, {}, (_, words) => {
  const [old, name, ...others] = words;
  if (old === undefined || name === undefined || others.length > 0)
    throw new Error('give two names, OLD and NEW.');
  if (old.trim() === name.trim()) throw new Error('OLD and NEW are the same name.');
  return [old.trim(), sensorName(name, 'NEW').normalize('NFC')];
});
const [from, to] = [JSON.stringify(old), JSON.stringify(name)];
await changeDatabase(
  'renamed',
  async (database, file) => {
    const key = sensorKey(database, old);
    const count = () => Number(firstValue(database, 'select count(*) from data where sensor = ?', key));
    const readings = count();
    const target = firstValue(database, 'select id from sensors where name = ?', name);
    if (target === undefined) refuseName(database, key, name);
    const shared = target === undefined ? 0 : sharedSlots(database, key, Number(target));
    if (shared > 0)
      throw new Error(
        `both sensors have ${counted(shared, 'five-minute slot')} of removed readings (RAW_DAYS), which may be the same readings`,
      );
    inTransaction(database, () => {
      if (target === undefined) {
        renameSensor(database, key, old, name);
      } else {
        shareRawFrom(database, key, Number(target));
        moveSlots(database, key, Number(target), Number.MAX_SAFE_INTEGER);
        // A trigger marks the affected days of both sensors, so that the server computes their history again.
        database.prepare('update or ignore data set sensor = ? where sensor = ?').run(Number(target), key);
        database.prepare('update notes set sensor = ? where sensor = ?').run(Number(target), key);
        database.prepare('update sensor_aliases set sensor = ? where sensor = ?').run(Number(target), key);
        addAlias(database, Number(target), old, name);
        // The server recomputes the findings of both sensors. The target's are already out of date.
        database.prepare('delete from room_days where sensor = ?').run(key);
        // Stop watching a sensor without readings.
        if (count() === 0) database.prepare('delete from alert_sensors where sensor = ?').run(old);
      }
    });
    const left = target === undefined ? 0 : count();
    console.log(
      `${counted(readings - left, 'reading')} of ${from} in ${file} now ${readings - left === 1 ? 'belongs' : 'belong'} to ${to}.`,
    );
    if (left === 0) return;
    console.log(
      `${counted(left, 'reading')} ${left === 1 ? 'stays' : 'stay'} with ${from}, because ${to} has others at their times. To delete them: ` +
        commandLine('prune', `--sensor '${old}'`),
    );
  },
  async (url) => {
    await changeSensor(url, old, { name }, true);
    console.log(`${from} is ${to} now.`);
  },
);

/**
 * @param {import('libsql').Database} database
 * @param {number} key the sensor that gets the name
 * @param {string} name
 * @throws {Error} if a new sensor can't have this name
 */
function refuseName(database, key, name) {
  const others = database.prepare('select name from sensors where id <> ?').pluck().all(key);
  const same = others.map(String).find((other) => nameLook(other) === nameLook(name));
  const fault = newNameFault(name) ?? (same === undefined ? null : sameLookFault(same));
  if (name !== '' && fault !== null) throw new Error(`the new name ${fault}`);
}
