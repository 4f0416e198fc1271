/**
 * Keeps rows out of `data` that airboard can't read. SQLite stores any value in any column, and other programs write to
 * the file too. Plain JavaScript, because the commands for the file run without a build.
 */

/** The years 100 to 9999, which `parseReadingTime` takes, in microseconds since 1970. */
const EARLIEST = -59_011_459_200_000_000n;
const LATEST = 253_402_300_799_999_999n;

/** Text and blobs are greater than any number. @param {string} value */
const isValue = (value) => `ifnull(${value} > -9e999 and ${value} < 9e999, true)`;

/** @param {'new' | 'data'} row */
const isReadable = (row) =>
  `typeof(${row}.created_at) = 'integer' and ${row}.created_at between ${EARLIEST} and ${LATEST}
  and ${isValue(`${row}.co2`)} and ${isValue(`${row}.voc`)}`;

/** Part of a trigger: undoes the statement whose row `new` airboard can't read. */
export const REFUSE_UNREADABLE = `select raise(abort,
  'airboard can''t read this row: created_at must be a whole number, microseconds since 1970, of the years 100 to 9999, and co2 and voc finite numbers or null'
) where not (${isReadable('new')});`;

/**
 * A check constraint can't be added to a table that exists. The trigger for inserts is `data_inserted` of the roll-ups, which
 * passes over the store's own: a trigger of its own would take a tenth of the time of their batches.
 */
const CREATE_TRIGGER = `
create trigger data_rechecked before update of created_at, co2, voc on data begin ${REFUSE_UNREADABLE} end;`;

/** Fractions of a microsecond are rounded, and values that are no finite numbers are left out. */
const CORRECT = `
update or ignore data set created_at = cast(round(created_at) as integer)
where id in (select id from temp.unreadable_ids) and typeof(created_at) = 'real';
update or ignore data set co2 = null where id in (select id from temp.unreadable_ids) and not ${isValue('co2')};
update or ignore data set voc = null where id in (select id from temp.unreadable_ids) and not ${isValue('voc')};
delete from temp.unreadable_ids where id in (select id from data where ${isReadable('data')});`;

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
  database.exec(`create temp table unreadable_ids as select id from data where not (${isReadable('data')})`);
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
  database.exec(`drop table temp.unreadable_ids; ${CREATE_TRIGGER}`);
}
