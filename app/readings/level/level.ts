import type { Metric, Threshold, Thresholds } from '../metric';

/** The levels of air quality, best first. */
export const LEVELS = ['good', 'moderate', 'poor'] as const;
export type Level = (typeof LEVELS)[number];

/** The names of a metric's thresholds, lower one first. */
export const THRESHOLD_NAMES = ['good', 'moderate'] as const;
export type ThresholdName = (typeof THRESHOLD_NAMES)[number];

/**
 * Returns the level of a value. A value at a threshold has the worse level: 1000 PPM is moderate. If `moderate` is below `good`, low
 * values are bad, and a value at a threshold has the better level.
 */
export function levelOf(value: number, { good, moderate }: Threshold): Level {
  const isLow = moderate < good;
  if (isLow ? value >= good : value < good) return 'good';
  return (isLow ? value >= moderate : value < moderate) ? 'moderate' : 'poor';
}

/** Returns true if low values are bad. */
export function isLowBad({ good, moderate }: Threshold): boolean {
  return moderate < good;
}

/** Returns the thresholds of a metric: none, one, or one for low and one for high values. */
export function thresholdsOf({ field }: Metric, thresholds: Thresholds): readonly Threshold[] {
  const threshold = thresholds[field];
  if (threshold) return [threshold];
  const { poor_below, from, to, poor_from } = thresholds.comfort?.[field] ?? {};
  return [
    ...(from === undefined ? [] : [{ good: from, moderate: poor_below ?? Number.NEGATIVE_INFINITY }]),
    ...(to === undefined ? [] : [{ good: to, moderate: poor_from ?? Number.POSITIVE_INFINITY }]),
  ];
}

export function hasLevels(metric: Metric, thresholds: Thresholds): boolean {
  return thresholdsOf(metric, thresholds).length > 0;
}

/** Returns the words for a level of a value beyond a threshold: `poor`, `too cold`, or `much too cold`. */
export function levelWords({ comfort }: Metric, threshold: Threshold, level: Level): string {
  if (!comfort || level === 'good') return level;
  const words = isLowBad(threshold) ? comfort.low : comfort.high;
  return level === 'poor' ? `much ${words}` : words;
}

/** A value's level, with the threshold on whose side it is worse. */
export interface JudgedValue {
  level: Level;
  threshold: Threshold;
  /** The level in words: `poor`, `comfortable`, `too cold`. */
  words: string;
}

/** Returns the level of a value; null if its metric has no levels. */
export function judgeValue(value: number, metric: Metric, thresholds: Thresholds): JudgedValue | null {
  const judged = thresholdsOf(metric, thresholds).map((threshold) => {
    const level = levelOf(value, threshold);
    const words = metric.comfort && level === 'good' ? 'comfortable' : levelWords(metric, threshold, level);
    return { level, threshold, words };
  });
  return judged.reduce<JudgedValue | null>(
    (worse, side) => (worse && !isWorse(side.level, worse.level) ? worse : side),
    null,
  );
}

/** The values of a level, from `from` on and below `to`. Both may be infinite. */
export interface LevelRange {
  level: Level;
  /** The level in words: `poor`, `too cold`. */
  words: string;
  from: number;
  to: number;
}

/** Returns the values of each level of a metric in ascending order; none if it has no levels. */
export function levelRanges(metric: Metric, thresholds: Thresholds): LevelRange[] {
  const sides = thresholdsOf(metric, thresholds);
  if (sides.length === 0) return [];
  const range = (level: Level, from: number, to: number, side?: Threshold): LevelRange[] =>
    from < to ? [{ level, words: side ? levelWords(metric, side, level) : level, from, to }] : [];
  const [low, high] = [sides.find(isLowBad), sides.find((side) => !isLowBad(side))];
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [
    ...(low ? range('poor', least, low.moderate, low) : []),
    ...(low ? range('moderate', low.moderate, low.good, low) : []),
    ...range('good', low?.good ?? least, high?.good ?? most),
    ...(high ? range('moderate', high.good, high.moderate, high) : []),
    ...(high ? range('poor', high.moderate, most, high) : []),
  ];
}

export function isWorse(level: Level, other: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(other);
}

/** Returns true if a value has at least the level behind a threshold. */
export function reaches(value: number, threshold: Threshold, name: ThresholdName): boolean {
  return LEVELS.indexOf(levelOf(value, threshold)) > THRESHOLD_NAMES.indexOf(name);
}

/** A level ends below this share of its threshold, so that values at the threshold don't make it flap. */
const CLEAR_SHARE = 0.95;

/** Returns the value that is far enough on the better side of a threshold to end its level. */
export function clearLimit(threshold: Threshold, name: ThresholdName, { comfort }: Metric): number {
  const limit = threshold[name];
  if (!comfort) return limit * CLEAR_SHARE;
  return isLowBad(threshold) ? limit + comfort.margin : limit - comfort.margin;
}

/** Returns true if a value is so far on the better side of a threshold that its level has ended. */
export function isClearOf(value: number, threshold: Threshold, name: ThresholdName, metric: Metric): boolean {
  const limit = clearLimit(threshold, name, metric);
  return isLowBad(threshold) ? value >= limit : value < limit;
}

/**
 * Returns a value's severity, which is comparable between metrics: 0 for 0, 1 at the good threshold, 2 at the moderate one, and
 * linear beyond that. 0 for a comfortable value.
 */
export function severityOf(
  value: number,
  { good, moderate }: Threshold,
  { comfort }: Pick<Metric, 'comfort'> = {},
): number {
  const excess = moderate < good ? good - value : value - good;
  if (excess >= 0) return 1 + (Number.isFinite(moderate) ? excess / Math.abs(moderate - good) : 0);
  return comfort ? 0 : value / good;
}

/** Thresholds with a lower bound: values below `least` count as moderate. */
export interface Bounds extends Threshold {
  least: number;
}

const UNBOUNDED: Bounds = {
  least: Number.NEGATIVE_INFINITY,
  good: Number.POSITIVE_INFINITY,
  moderate: Number.POSITIVE_INFINITY,
};

/** Returns the comfortable values of a metric, with the sensor's own limits; undefined if it has none. */
export function bandOf({ field, band }: Metric, { comfort }: Thresholds): Metric['band'] {
  const own = comfort?.[field];
  return own ? { from: own.from ?? Number.NEGATIVE_INFINITY, to: own.to ?? Number.POSITIVE_INFINITY } : band;
}

/**
 * Returns the bounds that roll-ups use to count a metric's time. Without thresholds, time inside the band counts as good and
 * time outside as moderate; without a band, all time counts as good.
 */
export function boundsOf(metric: Metric, thresholds: Thresholds): Bounds {
  const threshold = thresholds[metric.field];
  if (threshold) return { ...UNBOUNDED, ...threshold };
  const band = bandOf(metric, thresholds);
  return band ? { ...UNBOUNDED, least: band.from, good: band.to } : UNBOUNDED;
}

/** Returns the level under which roll-ups count a value's time. */
export function countedLevel(value: number, bounds: Bounds): Level {
  return value < bounds.least ? 'moderate' : levelOf(value, bounds);
}
