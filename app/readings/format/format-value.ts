import { levelOf } from '../level/level';
import type { Metric, Threshold } from '../metric';

/** How values of a metric are written. */
type Figures = Pick<Metric, 'decimals' | 'shown'>;

const TWO_DECIMALS: Figures = { decimals: 2 };

/** Returns a stored value in the unit that the viewer reads. */
export function shownValue({ shown }: Figures, value: number): number {
  return shown ? value * shown.factor + shown.offset : value;
}

/** Returns the stored value of one that the viewer reads. */
export function storedValue({ shown }: Figures, value: number): number {
  return shown ? (value - shown.offset) / shown.factor : value;
}

/**
 * Formats a value with at most the decimals of its metric, without padding or thousands separators.
 *
 * @param threshold limits that the shown value must be on the same side of: 999.999 is 999.99 with a limit of 1000
 */
export function formatValue(stored: number, threshold?: Threshold, metric = TWO_DECIMALS): string {
  const value = shownValue(metric, stored);
  const power = 10 ** metric.decimals;
  // Multiplying a very large whole number would lose digits.
  const rounded = Number.isInteger(value)
    ? [value]
    : [Math.round, Math.floor, Math.ceil].map((round) => round(value * power) / power);
  const isTrue = (shown: number) => !threshold || levelOf(shown, threshold) === levelOf(value, threshold);
  // Adding 0 turns -0 into 0.
  return String((rounded.find(isTrue) ?? value) + 0);
}

/** Formats a value with its unit: `640 PPM`; an index has none. */
export function formatWithUnit(
  metric: Figures & Pick<Metric, 'unit'>,
  value: number,
  threshold?: Threshold,
): string {
  return withUnit(metric, formatValue(value, threshold, metric));
}

/** Adds the unit of a metric to a text: `1000 PPM`; an index has none. */
export function withUnit({ unit }: Pick<Metric, 'unit'>, text: string | number): string {
  return unit ? `${text} ${unit}` : String(text);
}

/** Names a metric with its unit: `CO2 (PPM)`; an index has none. */
export function nameWithUnit({ name, unit }: Pick<Metric, 'name' | 'unit'>): string {
  return unit ? `${name} (${unit})` : name;
}

/** Decimals of an average this large say nothing: no sensor is that exact. */
const WHOLE_FROM = 100;

/**
 * Formats an average: whole from 100 on, unless that would be of another level. Smaller ones as `formatValue` does.
 *
 * @param values the lowest and the highest of the values: no shown average lies outside them
 */
export function formatAverage(
  average: number,
  threshold?: Threshold,
  values?: { lowest: number; highest: number },
  metric = TWO_DECIMALS,
): string {
  const value = shownValue(metric, average);
  const whole = Math.round(value);
  const isWithin =
    !values || (shownValue(metric, values.lowest) <= whole && whole <= shownValue(metric, values.highest));
  const isOfLevel = !threshold || levelOf(whole, threshold) === levelOf(value, threshold);
  return Math.abs(value) >= WHOLE_FROM && isWithin && isOfLevel
    ? String(whole)
    : formatValue(average, threshold, metric);
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

const FAHRENHEIT_REGIONS = ['US', 'LR', 'MM', 'BS', 'BZ', 'KY', 'PW'];

/** Returns true if temperatures are read in °F where the first language of a header `Accept-Language` is spoken: `en-US`. */
export function readsFahrenheit(languages: string | null): boolean {
  const [first = ''] = (languages ?? '').split(/[,;]/);
  try {
    return FAHRENHEIT_REGIONS.includes(new Intl.Locale(first.trim()).region ?? '');
  } catch {
    // No language, or `*`.
    return false;
  }
}
