/** The rules for sensor names. Plain JavaScript, because `npm run seed` runs without a build. */

/** The maximum length of a sensor name, in characters (code points). */
export const MAX_NAME_CHARACTERS = 64;

/** The tags of line protocol that name a sensor, unless `SENSOR_TAG` says others. */
export const SENSOR_TAGS = ['sensor', 'host', 'device'];

const CONTROL_CHARACTER = /\p{Cc}/u;
/** Half of a surrogate pair, which UTF-8 can't encode. JSON can contain one, as `\ud83c`. */
const LONE_SURROGATE = /\p{Cs}/u;
/**
 * Characters that can't be seen, or that look like a plain space: Unicode's default-ignorable ones (joiners, variation
 * selectors, fillers, marks of direction), line and paragraph separators, other spaces, and blank ones that Unicode lists as
 * symbols or format characters (the Braille blank U+2800, the null notehead U+1D159, anchors, joiners of hieroglyphs).
 */
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffc\u{13430}-\u{13440}\u{1d159}]|(?! )\p{Zs}/u;
/** Characters without an agreed look: the private-use ones, and those that Unicode will never assign. */
const WITHOUT_LOOK = /[\p{Co}\p{Noncharacter_Code_Point}]/u;
/** A character that is more than a space or a mark on another character. */
const VISIBLE = /[^\p{Z}\p{M}\p{C}]/u;

/**
 * Returns true if a stored sensor may have this name, or if it is empty (the unnamed sensor).
 *
 * @param {string} name
 */
export function canBeSensor(name) {
  return name.trim() === name && nameFault(name) === null;
}

/**
 * Returns the reason why a new sensor can't have this (trimmed) name; null if it can. Sensors from before these rules may keep
 * theirs.
 *
 * @param {string} name
 * @returns {string | null}
 */
export function newNameFault(name) {
  const fault = nameFault(name);
  if (fault !== null) return fault;
  const [hidden] = HIDDEN.exec(name) ?? [];
  if (hidden !== undefined) {
    const reason = /\p{Zs}/u.test(hidden) ? 'which looks like a plain space' : "which can't be seen";
    const plain = withoutHidden(name);
    const advice = VISIBLE.test(plain) ? `write ${JSON.stringify(plain)}` : 'choose a name that can be seen';
    return `contains ${codeOf(hidden)}, ${reason}: ${advice}`;
  }
  const [odd] = WITHOUT_LOOK.exec(name) ?? [];
  if (odd !== undefined) return `contains ${codeOf(odd)}, which looks different everywhere: leave it out`;
  return VISIBLE.test(name) ? null : 'has no letter, digit or symbol: choose a name that can be seen';
}

/**
 * Returns a text that is equal for names that can't be told apart: their compatibility form (NFKC) without hidden characters.
 * Full-width letters, ligatures and doubled spaces make no difference, upper case does.
 *
 * @param {string} name
 */
export const nameLook = (name) => withoutHidden(name.normalize('NFKC'));

/**
 * Returns the reason why a new sensor can't be told from a stored one.
 *
 * @param {string} stored
 */
export const sameLookFault = (stored) =>
  `looks the same as the sensor ${JSON.stringify(stored).replace(new RegExp(HIDDEN, 'gu'), (hidden) => `\\u{${codeOf(hidden).slice(2)}}`)}: ` +
  'use its name, or one that looks different';

/** @param {string} name */
function withoutHidden(name) {
  const plain = name.replace(/\p{Z}/gu, ' ').replace(new RegExp(HIDDEN, 'gu'), '');
  return plain.replace(/ {2,}/g, ' ').trim();
}

/** @param {string} character */
const codeOf = (character) =>
  `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Returns the reason why a sensor can't have this name; null if it can.
 *
 * @param {string} name
 * @returns {string | null}
 */
export function nameFault(name) {
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
