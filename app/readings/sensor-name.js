/** The rule for sensors' names. Plain JavaScript, because `npm run seed` has no build. */

/** The most characters of a sensor's name. */
export const MAX_NAME_CHARACTERS = 64;

/**
 * Returns true if a sensor can have this name, or it is the empty one of the unnamed sensor.
 *
 * @param {string} name
 */
export function canBeSensor(name) {
  // No character has more than two code units.
  if (name.length > 2 * MAX_NAME_CHARACTERS || [...name].length > MAX_NAME_CHARACTERS) return false;
  return name.trim() === name && !/[\p{Cc}\p{Cs}]/u.test(name);
}
