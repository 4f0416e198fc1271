/**
 * The line breaks of CSV, and the error texts for its records, for the server and `npm run import`. Plain JavaScript,
 * because the import runs without a build.
 */

/**
 * Returns the line break at the end of the first line, outside quotes. Carriage returns before a line feed are trimmed
 * later, with the last cell. Files of old Macs have no line feeds.
 *
 * @param {string} beginning of the file
 * @returns {'\n' | '\r'}
 */
export function csvNewline(beginning) {
  const [first = '\n'] = /\r*\n|\r/.exec(beginning.replaceAll(/"[^"]*"/g, '')) ?? [];
  return first.includes('\n') ? '\n' : '\r';
}

/**
 * Replaces all line breaks in an old Mac's file with carriage returns. Another program may have ended some lines with a
 * line feed, such as the last one.
 *
 * @param {string} text
 * @param {'\n' | '\r'} newline
 */
export function withNewline(text, newline) {
  return newline === '\r' && text.includes('\n')
    ? text.replaceAll('\r\n', '\r').replaceAll('\n', '\r')
    : text;
}

/**
 * Describes a record with a misplaced quote. All lines up to the next quote become part of such a record.
 *
 * @param {number} line in which the record begins, from 1
 * @param {readonly string[]} cells
 * @param {string} newline
 * @param {boolean} isCut true if the file ends before the record does
 */
export function misquotedDetail(line, cells, newline, isCut) {
  // The line break at the end of the file doesn't begin another line.
  const end = line + breaksIn(cells, newline) - (isCut && cells.at(-1)?.endsWith(newline) ? 1 : 0);
  const lost = end > line ? `, so lines ${line} to ${end} were not read` : '';
  return `has a quote that is not closed, or text after one${lost}: write a quote inside of quotes twice`;
}

/**
 * Describes a record that has more or fewer cells than the header.
 *
 * @param {number} cells
 * @param {number} expected
 */
export function raggedDetail(cells, expected) {
  return `has ${cells} cells, and the header has ${expected}: put text with separators in quotes`;
}

/**
 * Counts the line breaks within the cells of a record.
 *
 * @param {readonly string[]} cells
 * @param {string} newline
 */
export function breaksIn(cells, newline) {
  let count = 0;
  for (const cell of cells) if (cell.includes(newline)) count += cell.split(newline).length - 1;
  return count;
}
