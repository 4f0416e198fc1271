/** Checks the sensor names of a file that comes from elsewhere. Plain JavaScript, because the commands run without a build. */
import { MAX_NAME_CHARACTERS, nameFault } from '../../../readings/sensor-name.js';

/** The tables and columns with names. A file of an older version lacks some of them. */
const COLUMNS = {
  sensors: 'name',
  alert_sensors: 'sensor',
  alert_transitions: 'sensor',
  alert_messages: 'sensor',
  sensor_aliases: 'name',
  deletions: 'sensor',
};

/** The most bytes of a name in UTF-8. */
const MAX_BYTES = 4 * MAX_NAME_CHARACTERS;

/** Throws for bytes that aren't UTF-8. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the reason why airboard can't use the sensor names of a database; null if it can. Names with hidden characters are
 * allowed, because an older airboard stored them.
 *
 * @param {import('libsql').Database} database
 * @returns {string | null}
 */
export function namesFault(database) {
  for (const [table, column] of Object.entries(COLUMNS)) {
    const columns = database.prepare('select name from pragma_table_info(?)').pluck().all(table);
    if (!columns.includes(column)) continue;
    // As a blob, because SQLite ends a text at its first NUL. One byte more than allowed shows that a name is too long.
    const names = database
      .prepare(
        `select distinct typeof(${column}), substr(cast(${column} as blob), 1, ${MAX_BYTES + 1}) from ${table} where ${column} <> ''`,
      )
      .raw()
      .all();
    for (const [type, bytes] of /** @type {[string, Uint8Array][]} */ (names)) {
      const fault = type === 'text' ? faultOf(bytes) : 'is not text';
      if (fault === null) continue;
      const start = JSON.stringify(Buffer.from(bytes).toString().slice(0, 20));
      return `the name of a sensor, which begins with ${start}, ${fault}`;
    }
  }
  return null;
}

/** @param {Uint8Array} bytes */
function faultOf(bytes) {
  if (bytes.length > MAX_BYTES) return `has more than ${MAX_NAME_CHARACTERS} characters`;
  try {
    return nameFault(decoder.decode(bytes));
  } catch {
    return 'is not UTF-8';
  }
}
