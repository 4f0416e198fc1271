/**
 * @typedef {object} CsvRow
 * @property {number} line where the row begins, counted from 1
 * @property {string[]} fields
 */

/**
 * The rows of a CSV (RFC 4180): quoted fields, doubled quotes, line breaks inside quotes, and any of the
 * three line endings. Blank lines are left out, and so is a byte order mark.
 *
 * @param {string} text
 * @returns {Generator<CsvRow>}
 */
export function* readCsv(text) {
  // One token a match: a quoted field's content, or a plain one's, and what ends it.
  const token = /(?:[ \t]*"((?:[^"]|"")*)"[ \t]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/gy;
  let line = 1;
  let start = line;
  /** @type {string[]} */
  let fields = [];
  token.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (token.lastIndex < text.length || fields.length > 0) {
    const [matched, quoted, plain = '', end] = token.exec(text) ?? [];
    if (matched === undefined) break;
    fields.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    line += matched.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',') continue;
    if (fields.length > 1 || fields[0] !== '') yield { line: start, fields };
    fields = [];
    start = line;
  }
}
