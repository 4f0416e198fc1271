/** The rule for sensors' names. Plain JavaScript, because `npm run seed` has no build. */

/** The most characters of a sensor's name. */
export const MAX_NAME_CHARACTERS = 64;

const CONTROL_CHARACTER = /\p{Cc}/u;
/** Half of a surrogate pair, which UTF-8 can't encode. JSON can have it as `\ud83c`. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Returns true if a sensor can have this name, or it is the empty one of the unnamed sensor.
 *
 * @param {string} name
 */
export function canBeSensor(name) {
  return name.trim() === name && nameFault(name) === null;
}

/**
 * Returns the reason why no sensor can have this name, which is trimmed; null if one can.
 *
 * @param {string} name
 * @returns {string | null}
 */
export function nameFault(name) {
  // No character has more than two code units.
  if (name.length > 2 * MAX_NAME_CHARACTERS || [...name].length > MAX_NAME_CHARACTERS) {
    return `has more than ${MAX_NAME_CHARACTERS} characters`;
  }
  if (CONTROL_CHARACTER.test(name)) return 'has a control character';
  const [half] = LONE_SURROGATE.exec(name) ?? [];
  return half === undefined
    ? null
    : `has half of a character, \\u${half.charCodeAt(0).toString(16)}: send both halves of its surrogate pair`;
}
