/**
 * Rejects rows in `data` that airboard can't read. SQLite stores any value in any column, and other programs may write to
 * the file. Plain JavaScript, because the commands for the file run without a build.
 */
import { counted } from '../../../readings/format/counted.js';

/** The years 100 to 9999, which `parseReadingTime` accepts, in microseconds since 1970. */
const EARLIEST = -59_011_459_200_000_000n;
const LATEST = 253_402_300_799_999_999n;

/** In SQLite, text and blobs are greater than any number. @param {string} value */
const isValue = (value) => `ifnull(${value} > -9e999 and ${value} < 9e999, true)`;

/**
 * @param {'new' | 'data'} row
 * @param {readonly string[]} fields
 */
const isReadable = (row, fields) =>
  `typeof(${row}.created_at) = 'integer' and ${row}.created_at between ${EARLIEST} and ${LATEST}
  and ${fields.map((field) => isValue(`${row}.${field}`)).join(' and ')}`;

/**
 * Returns SQL for a trigger that undoes a statement if airboard can't read its row `new`.
 *
 * @param {readonly string[]} fields the columns of metrics
 */
export function refuseUnreadable(fields) {
  const names = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`;
  return `select raise(abort,
  'airboard can''t read this row: created_at must be a whole number, microseconds since 1970, of the years 100 to 9999, and ${names} finite numbers or null'
) where not (${isReadable('new', fields)});`;
}

/**
 * Returns SQL for a trigger that undoes a statement if its row `new` has no value.
 *
 * @param {readonly string[]} fields
 */
export const refuseEmpty = (fields) =>
  `select raise(abort, 'a reading needs a value: all of ${fields.join(', ')} are null') where coalesce(${fields.map((field) => `new.${field}`).join(', ')}) is null;`;

/**
 * Returns SQL for the trigger that checks updates; a check constraint can't be added to an existing table. Inserts are
 * checked by the roll-ups' trigger `data_inserted`, which skips the store's own rows: a separate trigger would make the
 * store's batches a tenth slower.
 *
 * @param {readonly string[]} fields
 */
export const createRecheck = (fields) => `
create trigger data_rechecked before update of created_at, ${fields.join(', ')} on data begin ${refuseUnreadable(fields)} end;`;

const FIRST = ['co2', 'voc'];

/** Rounds fractions of a microsecond, and removes values that aren't finite numbers. */
const CORRECT = `
update or ignore data set created_at = cast(round(created_at) as integer)
where id in (select id from temp.unreadable_ids) and typeof(created_at) = 'real';
${FIRST.map(
  (field) =>
    `update or ignore data set ${field} = null where id in (select id from temp.unreadable_ids) and not ${isValue(field)};`,
).join('\n')}
delete from temp.unreadable_ids where id in (select id from data where ${isReadable('data', FIRST)});`;

/**
 * Moves the rows that can't be corrected, because no value is left, the time is invalid, or another row has that time.
 */
const MOVE_OTHERS = `
create table unreadable as select * from data where id in (select id from temp.unreadable_ids);
delete from data where id in (select id from temp.unreadable_ids);`;

/**
 * Makes the file reject updates to unreadable values. Corrects existing unreadable rows, and moves those that can't be
 * corrected to the table `unreadable`. Call it in a transaction.
 *
 * @param {import('libsql').Database} database
 * @param {string} file for messages
 */
export function refuseUnreadableRows(database, file) {
  const count = () => Number(database.prepare('select count(*) from temp.unreadable_ids').pluck().all()[0]);
  database.exec(
    `create temp table unreadable_ids as select id from data where not (${isReadable('data', FIRST)})`,
  );
  const found = count();
  if (found > 0) {
    database.exec(CORRECT);
    const left = count();
    if (left > 0) database.exec(MOVE_OTHERS);
    console.log(
      `[airboard] ${file}: another program stored ${counted(found, 'row')} that can't be read. ${found - left} corrected` +
        `${left > 0 ? `, ${left} moved to the table "unreadable"` : ''}`,
    );
  }
  database.exec(`drop table temp.unreadable_ids; ${createRecheck(FIRST)}`);
}
