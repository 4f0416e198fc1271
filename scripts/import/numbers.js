/** Reads numbers as people and spreadsheets write them: `21,5`, `1.024`, `1 024,5`, `612 ppm`. */
import { TABLE } from '../../app/readings/metric-table.js';

/** @typedef {import('./columns.js').MetricField} MetricField */
/** @typedef {import('./columns.js').Convert} Convert */
/** @typedef {'.' | ','} Decimal the sign before a number's decimals */

/** Texts that programs write for a missing value. */
const NO_VALUE = /^(|-+|#?n\/?a|nan|null|\\n|none|unavailable|unknown)$/i;
/** A number with points and commas, and what follows, such as a unit or an exponent. */
const NUMBER = /^([+-]?[\d.,]*\d[.,]?)(?![\d.,])(.*)$/s;
/** A number that is a thousand times as large if the sign separates thousands. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;

/** @param {Decimal} sign @returns {Decimal} */
const otherSign = (sign) => (sign === '.' ? ',' : '.');

/**
 * Returns a value with a decimal point and without separators of thousands; null for no value. A unit after it stays. Text that
 * doesn't begin with a number is returned unchanged, so that the server's error explains it.
 *
 * @param {string | undefined} text
 * @param {Decimal} decimal
 * @returns {{ value: string | null, problem?: string }}
 */
export function plainValue(text, decimal) {
  const value = ungrouped(text);
  if (NO_VALUE.test(value)) return { value: null };
  const [, number, rest = ''] = NUMBER.exec(value) ?? [];
  if (number === undefined || /^[+-]?\d+$/.test(number)) return { value };
  const plain = withPoint(number, decimal);
  if (plain !== null) return { value: plain + rest };
  const name = decimal === '.' ? 'point' : 'comma';
  return {
    value,
    problem: `"${number}" is not a number with a decimal ${name} (--decimal=${otherSign(decimal)} for the other)`,
  };
}

/** Removes spaces and apostrophes between thousands. @param {string} [text] */
function ungrouped(text = '') {
  return text
    .trim()
    .replace('\u2212', '-')
    .replace(/(?<=\d)[ \u00A0\u202F'’](?=\d{3}(?!\d))/g, '');
}

/** @param {string} number @param {Decimal} decimal */
function withPoint(number, decimal) {
  const [whole = '', decimals = '', ...others] = number.split(decimal);
  const group = otherSign(decimal);
  const isValid =
    others.length === 0 &&
    !decimals.includes(group) &&
    (/^[+-]?\d*$/.test(whole) || /^[+-]?\d{1,3}([.,]\d{3})+$/.test(whole));
  return isValid ? `${whole.replaceAll(group, '')}.${decimals}`.replace(/\.$/, '') : null;
}

/**
 * Returns the decimal sign that a value shows: certainly, as `21,5` does, or likely, because a sensor of the metric wouldn't report
 * the other number: `1.024` PPM of CO2. `unclear` is the number if it shows neither, as `1.024` µg/m³ does.
 *
 * @param {string | undefined} text
 * @param {MetricField} field
 * @param {Convert} [convert]
 * @returns {{ number: string, certain?: Decimal, likely?: Decimal } | null} null if it has no such sign
 */
export function decimalIn(text, field, convert = (value) => value) {
  const [, number = ''] = NUMBER.exec(ungrouped(text)) ?? [];
  const signs = number.replace(/[^.,]/g, '');
  const last = /** @type {Decimal} */ (signs.at(-1));
  if (!last) return null;
  const sign = /** @type {Decimal | undefined} */ (UNCLEAR.exec(number)?.[1]);
  if (!sign) {
    const isGroup = signs.length > 1 && [...signs].every((each) => each === last);
    const certain = isGroup ? otherSign(last) : last;
    return withPoint(number, certain) === null ? null : { number, certain };
  }
  const [asDecimals, asThousands] = [sign, otherSign(sign)].map((each) =>
    isPlausible(field, convert(Number(withPoint(number, each)))),
  );
  if (asDecimals === asThousands) return { number };
  return { number, likely: asDecimals ? sign : otherSign(sign) };
}

/** Returns true if a working sensor can report a value, which is in the metric's unit. @param {MetricField} field @param {number} value */
export function isPlausible(field, value) {
  const range = TABLE.find((row) => row.field === field)?.plausible;
  return range !== undefined && value >= range.from && value <= range.to;
}
