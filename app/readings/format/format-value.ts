import { levelOf } from '../level/level';
import type { Threshold } from '../level/threshold';

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
