import type { Reading } from './reading';

/** How many intervals the usual one is taken from: as many as the shortest range shows. */
const NEWEST_INTERVALS = 40;

/**
 * Returns the usual time between readings: the median of the newest 40 intervals.
 *
 * @param readings oldest first
 * @returns milliseconds; null for fewer than two readings
 */
export function samplingIntervalMs(readings: readonly Reading[]): number | null {
  return median(intervalsMs(readings.slice(-NEWEST_INTERVALS - 1)));
}

/** Returns the milliseconds between each reading and the next, which is one number fewer than readings. */
export function intervalsMs(readings: readonly Reading[]): number[] {
  return readings.slice(1).map((reading, i) => timeOf(reading) - timeOf(readings[i] as Reading));
}

/** Returns the middle number, the lower of two for an even count; null for none. */
export function median(numbers: readonly number[]): number | null {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? null;
}

function timeOf(reading: Reading): number {
  return Date.parse(reading.created_at);
}
