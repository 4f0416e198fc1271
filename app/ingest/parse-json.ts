/** A string of JSON, or a word for a value that isn't a number, as C and Python print it. */
const STRING_OR_WORD = /"(?:[^"\\]|\\[\s\S])*"|[+-]?\b(?:nan|inf(?:inity)?)\b/gi;

/**
 * Parses JSON in which a number may be `nan`, `NaN`, `inf` or `-Infinity`. JSON has no such numbers, but programs write them
 * for a sensor that fails: Arduino's `String(NAN)`, Python's `json.dumps`. Each becomes text.
 *
 * @throws SyntaxError for anything else that isn't JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const quoted = text.replace(STRING_OR_WORD, (token) => (token.startsWith('"') ? token : `"${token}"`));
    if (quoted === text) throw error;
    return JSON.parse(quoted);
  }
}

/** The texts that programs send for a value that wasn't measured: C, Python, JavaScript and Home Assistant. */
export const NO_VALUE_WORDS = [
  ...['nan', 'inf', 'infinity', 'null', 'none', 'undefined'],
  ...['unavailable', 'unknown', 'n/a'],
];
const NO_VALUE = new RegExp(`^[+-]?(${NO_VALUE_WORDS.join('|')})$`, 'i');

/** Returns true for a value that says that nothing was measured. A misspelt number such as `21,5x` isn't one. */
export function isNoValue(sent: unknown): boolean {
  if (typeof sent === 'number') return !Number.isFinite(sent);
  return sent === null || sent === undefined || (typeof sent === 'string' && NO_VALUE.test(sent.trim()));
}
