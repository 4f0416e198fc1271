/**
 * Guards text in CSV files. Plain JavaScript, because `npm run import` takes the guard away without a build.
 */

/**
 * Matches the start of text that a spreadsheet runs as a formula, with quotes and apostrophes in front. Full-width signs
 * count. A spreadsheet whose list separator is `;` or a tab begins a cell after each of them, and ignores the quotes of a
 * field that doesn't begin there.
 */
const FORMULA = /(?<=^|[;\t])(?=["']*[=+\-@＝＋－＠])/g;
const GUARDED = /(?<=^|[;\t])'(?=["']*[=+\-@＝＋－＠])/g;

/**
 * Makes text harmless for a spreadsheet that opens a CSV file: puts an apostrophe before text that it would run as a
 * formula. `unguardFormula` takes the apostrophe away, whatever the text was.
 *
 * Source: OWASP, "CSV Injection".
 *
 * @param {string} text
 */
export function guardFormula(text) {
  return text.replace(FORMULA, "'");
}

/**
 * Returns the text that `guardFormula` was given. Text that isn't guarded stays as it is.
 *
 * @param {string} text
 */
export function unguardFormula(text) {
  return text.replace(GUARDED, '');
}
