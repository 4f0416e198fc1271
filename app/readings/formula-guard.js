/**
 * Guards text in CSV files. Plain JavaScript, because `npm run import` takes the guard away without a build.
 */

/** Matches text that a spreadsheet runs as a formula, and such text with apostrophes in front. Full-width signs count. */
const FORMULA = /^'*[=+\-@＝＋－＠]/;

/**
 * Makes text harmless for a spreadsheet that opens a CSV file: puts an apostrophe before text that it would run as a
 * formula. `unguardFormula` takes the apostrophe away, whatever the text was.
 *
 * Source: OWASP, "CSV Injection".
 *
 * @param {string} text
 */
export function guardFormula(text) {
  return FORMULA.test(text) ? `'${text}` : text;
}

/**
 * Returns the text that `guardFormula` was given. Text that isn't guarded stays as it is.
 *
 * @param {string} text
 */
export function unguardFormula(text) {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
