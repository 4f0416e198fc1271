/** The line breaks of CSV, for the server and `npm run import`. Plain JavaScript, as that has no build. */

/**
 * Returns the line break at the end of the first line, outside of quotes. Carriage returns before a line feed are trimmed with the
 * last cell. Old Macs have no line feeds.
 *
 * @param {string} beginning of the file
 * @returns {'\n' | '\r'}
 */
export function csvNewline(beginning) {
  const [first = '\n'] = /\r*\n|\r/.exec(beginning.replaceAll(/"[^"]*"/g, '')) ?? [];
  return first.includes('\n') ? '\n' : '\r';
}

/**
 * Returns text of a file with that line break. In a file of an old Mac, another program may have ended some lines with a line
 * feed, such as the last one.
 *
 * @param {string} text
 * @param {'\n' | '\r'} newline
 */
export function withNewline(text, newline) {
  return newline === '\r' && text.includes('\n')
    ? text.replaceAll('\r\n', '\r').replaceAll('\n', '\r')
    : text;
}
