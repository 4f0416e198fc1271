/**
 * @typedef {object} CsvRow
 * @property {number} line first line of the row, counted from 1
 * @property {string[]} fields
 */

/**
 * Yields the rows of a CSV text (RFC 4180): with quoted fields, doubled quotes, line breaks inside quotes, and LF,
 * CRLF or CR as line ending. Skips blank lines and a byte order mark, and trims fields that aren't quoted.
 *
 * @param {string} text
 * @returns {Generator<CsvRow>}
 */
export function* readCsv(text) {
  // Matches one field, quoted or plain, and its separator.
  const token = /(?:[ \t]*"((?:[^"]|"")*)"[ \t]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/gy;
  let line = 1;
  let firstLine = line;
  /** @type {string[]} */
  let fields = [];
  token.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (token.lastIndex < text.length || fields.length > 0) {
    const [matched, quoted, plain = '', separator] = token.exec(text) ?? [];
    if (matched === undefined) break;
    fields.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    line += matched.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (separator === ',') continue;
    if (fields.length > 1 || fields[0] !== '') yield { line: firstLine, fields };
    fields = [];
    firstLine = line;
  }
}
