import { levelOf } from '../level/level';
import type { Metric, Threshold } from '../metric';

const HUNDREDTHS = [Math.round, Math.floor, Math.ceil];

/**
 * Formats a value with at most two decimals, without padding or thousands separators.
 *
 * @param threshold limits that the shown value must be on the same side of: 999.999 is 999.99 with a limit of 1000
 */
export function formatValue(value: number, threshold?: Threshold): string {
  // Multiplying a very large whole number by 100 would lose digits.
  const rounded = Number.isInteger(value) ? [value] : HUNDREDTHS.map((round) => round(value * 100) / 100);
  const isTrue = (shown: number) => !threshold || levelOf(shown, threshold) === levelOf(value, threshold);
  // Adding 0 turns -0 into 0.
  return String((rounded.find(isTrue) ?? value) + 0);
}

/** Formats a value with its unit: `640 PPM`; an index has none. */
export function formatWithUnit({ unit }: Pick<Metric, 'unit'>, value: number, threshold?: Threshold): string {
  return [formatValue(value, threshold), unit].filter(Boolean).join(' ');
}

/** Decimals of an average this large say nothing: no sensor is that exact. */
const WHOLE_FROM = 100;

const EVERY_VALUE = { lowest: Number.NEGATIVE_INFINITY, highest: Number.POSITIVE_INFINITY };

/**
 * Formats an average: whole from 100 on, unless that would be of another level. Smaller ones as `formatValue` does.
 *
 * @param values the lowest and the highest of the values: no shown average lies outside them
 */
export function formatAverage(
  average: number,
  threshold: Threshold,
  { lowest, highest }: { lowest: number; highest: number } = EVERY_VALUE,
): string {
  const whole = Math.round(average);
  const isWithin = lowest <= whole && whole <= highest;
  const isTrue =
    Math.abs(average) >= WHOLE_FROM && isWithin && levelOf(whole, threshold) === levelOf(average, threshold);
  return isTrue ? String(whole) : formatValue(average, threshold);
}

/** Units of thousands, as in `1.5M`. A value beyond them has its power of ten, as in `2.5e20`. */
const THOUSANDS = ['', 'K', 'M', 'B', 'T'];

/** Formats a value with at most four digits and a unit of thousands: `867.2K`, `1.235M`, `2.5e20`. */
export function formatShort(value: number): string {
  const [digits = 0, exponent = 0] = value.toExponential(3).split('e').map(Number);
  const unit = THOUSANDS[Math.floor(exponent / 3)];
  if (unit === undefined) return `${digits}e${exponent}`;
  return Number((digits * 10 ** (exponent % 3)).toPrecision(4)) + unit;
}

/** Returns a formatted value, or the value in short if the text has more characters than there is room for. */
export function fitValue(text: string, room: number): string {
  return text.length > room ? formatShort(Number(text)) : text;
}
