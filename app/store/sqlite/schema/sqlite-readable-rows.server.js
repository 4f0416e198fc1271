/**
 * Keeps rows out of `data` that airboard can't read. SQLite stores any value in any column, and other programs write to
 * the file too. Plain JavaScript, because the commands for the file run without a build.
 */

/** The years 100 to 9999, which `parseReadingTime` takes, in microseconds since 1970. */
const EARLIEST = -59_011_459_200_000_000n;
const LATEST = 253_402_300_799_999_999n;

/** Text and blobs are greater than any number. @param {string} value */
const isValue = (value) => `ifnull(${value} > -9e999 and ${value} < 9e999, true)`;

/**
 * @param {'new' | 'data'} row
 * @param {readonly string[]} fields
 */
const isReadable = (row, fields) =>
  `typeof(${row}.created_at) = 'integer' and ${row}.created_at between ${EARLIEST} and ${LATEST}
  and ${fields.map((field) => isValue(`${row}.${field}`)).join(' and ')}`;

/**
 * Returns part of a trigger: it undoes the statement whose row `new` airboard can't read.
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
 * Returns part of a trigger: it undoes the statement whose row `new` has no value.
 *
 * @param {readonly string[]} fields
 */
export const refuseEmpty = (fields) =>
  `select raise(abort, 'a reading needs a value: all of ${fields.join(', ')} are null') where coalesce(${fields.map((field) => `new.${field}`).join(', ')}) is null;`;

/**
 * A check constraint can't be added to a table that exists. The trigger for inserts is `data_inserted` of the roll-ups, which
 * passes over the store's own: a trigger of its own would take a tenth of the time of their batches.
 *
 * @param {readonly string[]} fields
 * @param {string} [refuse]
 */
export const createRecheck = (fields, refuse = '') => `
create trigger data_rechecked before update of created_at, ${fields.join(', ')} on data begin ${refuseUnreadable(fields)} ${refuse} end;`;

const FIRST = ['co2', 'voc'];

/** Fractions of a microsecond are rounded, and values that are no finite numbers are left out. */
const CORRECT = `
update or ignore data set created_at = cast(round(created_at) as integer)
where id in (select id from temp.unreadable_ids) and typeof(created_at) = 'real';
${FIRST.map(
  (field) =>
    `update or ignore data set ${field} = null where id in (select id from temp.unreadable_ids) and not ${isValue(field)};`,
).join('\n')}
delete from temp.unreadable_ids where id in (select id from data where ${isReadable('data', FIRST)});`;

/** Moves what can't be corrected: nothing is left of such a row, its time is no time, or another row has it. */
const MOVE_OTHERS = `
create table unreadable as select * from data where id in (select id from temp.unreadable_ids);
delete from data where id in (select id from temp.unreadable_ids);`;

/**
 * Has the file refuse updates to unreadable rows, corrects those that it has, and moves others to the table
 * `unreadable`. Call in a transaction.
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
      `[airboard] ${file}: another program stored ${found} rows that can't be read. ${found - left} were corrected` +
        `${left > 0 ? `, and ${left} moved to the table "unreadable"` : ''}`,
    );
  }
  database.exec(`drop table temp.unreadable_ids; ${createRecheck(FIRST)}`);
}
