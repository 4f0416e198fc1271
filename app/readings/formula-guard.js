/**
 * Protects spreadsheets from formulas in CSV files. Plain JavaScript, because `npm run import` runs without a build.
 */

/**
 * Matches the start of text that a spreadsheet would run as a formula, even after quotes and apostrophes. Full-width signs
 * count. If the spreadsheet's list separator is `;` or a tab, each of these starts a new cell, even inside a quoted field.
 */
const FORMULA = /(?<=^|[;\t])(?=["']*[=+\-@＝＋－＠])/g;
const GUARDED = /(?<=^|[;\t])'(?=["']*[=+\-@＝＋－＠])/g;

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula. `unguardFormula` restores any text exactly.
 *
 * Source: OWASP, "CSV Injection".
 *
 * @param {string} text
 */
export function guardFormula(text) {
  return text.replace(FORMULA, "'");
}

/**
 * Undoes `guardFormula`. Returns text without a guard unchanged.
 *
 * @param {string} text
 */
export function unguardFormula(text) {
  return text.replace(GUARDED, '');
}
