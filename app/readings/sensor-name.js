/** The rules for sensor names. Plain JavaScript, because `npm run seed` runs without a build. */

/** The maximum length of a sensor name, in characters (code points). */
export const MAX_NAME_CHARACTERS = 64;

const CONTROL_CHARACTER = /\p{Cc}/u;
/** Half of a surrogate pair, which UTF-8 can't encode. JSON can contain one, as `\ud83c`. */
const LONE_SURROGATE = /\p{Cs}/u;
/**
 * Invisible characters that reverse text or make two names look the same, such as U+202E. The rest of `\p{Cf}` is allowed: the
 * joiners in emoji and some scripts (U+200C, U+200D), and visible signs.
 */
const DECEPTIVE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/u;
/** A flag such as Scotland's: a black flag followed by invisible tag characters (Unicode Technical Standard 51). */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}/gu;

/**
 * Returns true if a stored sensor may have this name, or if it is empty (the unnamed sensor). Names with invisible characters
 * may be stored, although new readings can't have them.
 *
 * @param {string} name
 */
export function canBeSensor(name) {
  return name.trim() === name && structureFault(name) === null;
}

/**
 * Returns the reason why a new reading can't have this (trimmed) sensor name; null if it can.
 *
 * @param {string} name
 * @returns {string | null}
 */
export function nameFault(name) {
  const fault = structureFault(name);
  if (fault !== null) return fault;
  const [hidden] = DECEPTIVE.exec(name.replace(FLAG, '')) ?? [];
  if (hidden === undefined) return null;
  const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return `has the invisible character U+${code}, which can make it look like another name: leave it out`;
}

/**
 * Returns the reason why a sensor can't have this name; null if it can.
 *
 * @param {string} name
 * @returns {string | null}
 */
function structureFault(name) {
  // A character has at most two code units, so the first check is a quick one.
  if (name.length > 2 * MAX_NAME_CHARACTERS || [...name].length > MAX_NAME_CHARACTERS) {
    return `has more than ${MAX_NAME_CHARACTERS} characters`;
  }
  if (CONTROL_CHARACTER.test(name)) return 'has a control character';
  const [half] = LONE_SURROGATE.exec(name) ?? [];
  return half === undefined
    ? null
    : `has half of a character, \\u${half.charCodeAt(0).toString(16)}: send both halves of its surrogate pair`;
}
