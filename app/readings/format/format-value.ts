import { levelOf } from '../level/level';
import type { Metric, Threshold } from '../metric';

/** The parts of a metric that formatting needs. */
type Figures = Pick<Metric, 'decimals' | 'shown' | 'band'>;

const TWO_DECIMALS: Figures = { decimals: 2 };

/** Converts a stored value to the viewer's unit. */
export function shownValue({ shown }: Figures, value: number): number {
  // Without the last digits, which the conversion made up: 20.25 °C are 68.45 °F, not 68.44999999999999.
  return shown ? Number((value * shown.factor + shown.offset).toPrecision(14)) : value;
}

/** Converts a value in the viewer's unit to the stored unit. */
export function storedValue({ shown }: Figures, value: number): number {
  return shown ? (value - shown.offset) / shown.factor : value;
}

/**
 * Formats a value with at most the decimals of its metric, without padding or thousands separators.
 *
 * @param threshold keeps the rounded value in the same level: 999.999 becomes 999.99 if the threshold is 1000. Without one,
 * the metric's band does so: 59.96 % of humidity become 59.9, because 60 is above the band.
 */
export function formatValue(stored: number, threshold?: Threshold, metric = TWO_DECIMALS): string {
  const value = shownValue(metric, stored);
  const sides = threshold ?? (metric.band && { good: metric.band.from, moderate: metric.band.to });
  const rounded = [roundHalfAway, Math.floor, Math.ceil].map((round) =>
    roundedBy(value, metric.decimals, round),
  );
  const isTrue = (shown: number) => !sides || levelOf(shown, sides) === levelOf(value, sides);
  // Adding 0 turns -0 into 0.
  return String((rounded.find(isTrue) ?? value) + 0);
}

/**
 * Rounds a number as people do who read its decimals: 1.005 is 1.01 and -273.15 is -273.2, although the nearest binary
 * number of the first is lower.
 */
export function roundTo(value: number, decimals: number): number {
  return roundedBy(value, decimals, roundHalfAway);
}

function roundedBy(value: number, decimals: number, round: (value: number) => number): number {
  // A very large whole number has no decimals, and would lose digits.
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  return shifted(round(shifted(value, decimals)), -decimals);
}

/** Rounds to the nearest whole number, and a half away from zero. */
function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

/** Moves the decimal point, which a multiplication does only approximately. */
function shifted(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** Formats a value with its unit, if it has one: `640 PPM`. */
export function formatWithUnit(
  metric: Figures & Pick<Metric, 'unit'>,
  value: number,
  threshold?: Threshold,
): string {
  return withUnit(metric, formatValue(value, threshold, metric));
}

/**
 * Like `formatValue`, beside words that say on which side of a threshold the value is: with more decimals if the rounded value is
 * the threshold, as in `15.04`, which is above 15.
 */
export function formatBeside(stored: number, threshold: Threshold, metric = TWO_DECIMALS): string {
  const value = shownValue(metric, stored);
  const isOther = (text: string) => isBound(Number(text), threshold) && Number(text) !== value;
  let { decimals } = metric;
  const text = () => formatValue(stored, threshold, { ...metric, decimals });
  // A double has at most 17 digits.
  while (isOther(text()) && decimals < 17) decimals += 1;
  return text();
}

const isBound = (value: number, { good, moderate }: Threshold) => value === good || value === moderate;

/** Adds a metric's unit to a text, if it has one: `1000 PPM`. */
export function withUnit({ unit }: Pick<Metric, 'unit'>, text: string | number): string {
  return unit ? `${text} ${unit}` : String(text);
}

/** Returns a metric's name with its unit, if it has one: `CO2 (PPM)`. */
export function nameWithUnit({ name, unit }: Pick<Metric, 'name' | 'unit'>): string {
  return unit ? `${name} (${unit})` : name;
}

/** Averages of at least this value are shown without decimals, because no sensor is that accurate. */
const WHOLE_FROM = 100;

/**
 * Formats an average beside words, as `formatBeside` does. From 100 on it is rounded to a whole number, unless that changes its level.
 *
 * @param values the lowest and highest value; the shown average stays between them
 */
export function formatAverage(
  average: number,
  threshold?: Threshold,
  values?: { lowest: number; highest: number },
  metric = TWO_DECIMALS,
): string {
  const value = shownValue(metric, average);
  const whole = roundHalfAway(value);
  const isWithin =
    !values || (shownValue(metric, values.lowest) <= whole && whole <= shownValue(metric, values.highest));
  const isOfLevel = !threshold || levelOf(whole, threshold) === levelOf(value, threshold);
  if (Math.abs(value) >= WHOLE_FROM && isWithin && isOfLevel) return String(whole);
  return threshold ? formatBeside(average, threshold, metric) : formatValue(average, threshold, metric);
}

/** The suffixes for powers of 1000, as in `1.5M`. Larger values use an exponent, as in `2.5e20`. */
const THOUSANDS = ['', 'K', 'M', 'B', 'T'];

/** Formats a value with at most four digits and a suffix: `867.2K`, `1.235M`, `2.5e20`. */
export function formatShort(value: number): string {
  const [digits = 0, exponent = 0] = value.toExponential(3).split('e').map(Number);
  const unit = THOUSANDS[Math.floor(exponent / 3)];
  if (unit === undefined) return `${digits}e${exponent}`;
  return Number((digits * 10 ** (exponent % 3)).toPrecision(4)) + unit;
}

/** Returns a formatted value, or its short form if it has more than `room` characters. */
export function fitValue(text: string, room: number): string {
  return text.length > room ? formatShort(Number(text)) : text;
}

const FAHRENHEIT_REGIONS = ['US', 'LR', 'MM', 'BS', 'BZ', 'KY', 'PW'];

/** Returns true if the region of the first language in an `Accept-Language` header uses °F, such as `en-US`. */
export function readsFahrenheit(languages: string | null): boolean {
  const [first = ''] = (languages ?? '').split(/[,;]/);
  try {
    return FAHRENHEIT_REGIONS.includes(new Intl.Locale(first.trim()).region ?? '');
  } catch {
    // The header is empty, or starts with `*`.
    return false;
  }
}
