import { METRICS } from '../metric';
import { usualIntervalMs } from '../now/stale';
import type { Reading } from '../reading';

/** A preset for the length of the chart's history. */
export interface Range {
  name: string;
  /** The number of neighbouring readings averaged into one point once more than 40 exist. */
  interval: number;
  /** Only this many of the newest readings are used. */
  maxPoints: number;
  /** The button is disabled below this many readings. */
  enabledFrom: number;
}

/** The required ranges (decision 0001). 24HR is enabled from 5670 readings, not from 5760. */
export const RANGES = [
  { name: '10MIN', interval: 4, maxPoints: 40, enabledFrom: 0 },
  { name: '1HR', interval: 20, maxPoints: 240, enabledFrom: 240 },
  { name: '6HR', interval: 80, maxPoints: 1440, enabledFrom: 1440 },
  { name: '24HR', interval: 240, maxPoints: 5760, enabledFrom: 5670 },
] as const satisfies readonly Range[];

export const DEFAULT_RANGE: Range = RANGES[0];

/** The most readings that a page keeps, which is what the longest range shows. */
export const HISTORY_LIMIT = Math.max(...RANGES.map(({ maxPoints }) => maxPoints));

/** Returns the preset with exactly this name, or undefined. */
export function findRange(name: string): Range | undefined {
  return RANGES.find((range) => range.name === name);
}

/** The interval for which the names of the ranges are right: 40 readings are 10 minutes. */
const NAMED_INTERVAL_MS = 15_000;

/** Returns the time in the range's name, in milliseconds. */
export function rangeMs({ maxPoints }: Range): number {
  return maxPoints * NAMED_INTERVAL_MS;
}

/** The ranges count the readings of a sensor whose usual interval, rounded to seconds, is at most this. */
const LONGEST_COUNTED_SECONDS = 20;

/**
 * Returns the usual interval of a sensor whose ranges are times until now, in milliseconds. Null if they count readings: it
 * sends at least every 20 s, or has fewer than three readings. A sensor that sends each metric in a reading of its own has
 * the interval of the metric that it sends most often.
 *
 * @param readings oldest first
 */
export function timedIntervalMs(readings: readonly Reading[]): number | null {
  const latest = readings.slice(-DEFAULT_RANGE.maxPoints);
  const intervals = METRICS.flatMap(
    ({ field }) => usualIntervalMs(latest.filter(({ [field]: value }) => (value ?? null) !== null)) ?? [],
  );
  if (intervals.length === 0) return null;
  const usualMs = Math.min(...intervals);
  return Math.round(usualMs / 1000) > LONGEST_COUNTED_SECONDS ? usualMs : null;
}
