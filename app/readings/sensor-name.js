/** The rule for sensors' names. Plain JavaScript, because `npm run seed` has no build. */

/** The most characters of a sensor's name. */
export const MAX_NAME_CHARACTERS = 64;

/** Control characters, and halves of surrogate pairs, which UTF-8 can't encode. */
const UNFIT = /[\p{Cc}\p{Cs}]/u;

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
  return UNFIT.test(name) ? 'has a control character' : null;
}
