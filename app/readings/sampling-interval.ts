import type { Reading } from './reading';

/** How many of the newest readings say what is usual: as many as the shortest range shows. */
const SAMPLE = 40;

/** A reading is missing, or the newest one is stale, past this many usual spacings. */
const MISSED_SPACINGS = 3;

/** Silence is never called stale before this, however fast the sensor is. */
const STALE_FLOOR_MS = 45_000;

/** A pause shorter than this is jitter of a fast sender, not a gap. */
const GAP_FLOOR_MS = 1000;

/**
 * The usual time between readings: the median over the newest 40.
 *
 * @param readings oldest first
 * @returns milliseconds, or null where fewer than two readings say anything about it
 */
export function samplingIntervalMs(readings: readonly Reading[]): number | null {
  const newest = readings.slice(-SAMPLE - 1);
  const spacings = newest.slice(1).map((reading, i) => msBetween(newest[i] as Reading, reading));
  return median(spacings);
}

/** Past this age, in milliseconds, the newest of these readings is stale. */
export function staleAfterMs(readings: readonly Reading[]): number {
  return Math.max(STALE_FLOOR_MS, MISSED_SPACINGS * (samplingIntervalMs(readings) ?? 0));
}

/**
 * Where readings are missing.
 *
 * @param readings oldest first
 * @returns for each reading, whether the one before it came too long ago to draw a line from it
 */
export function findGaps(readings: readonly Reading[]): boolean[] {
  const spacings = readings.slice(1).map((reading, i) => msBetween(readings[i] as Reading, reading));
  const limit = Math.max(GAP_FLOOR_MS, MISSED_SPACINGS * (median(spacings) ?? 0));
  return [false, ...spacings.map((spacing) => spacing > limit)].slice(0, readings.length);
}

function msBetween(older: Reading, newer: Reading): number {
  return Date.parse(newer.created_at) - Date.parse(older.created_at);
}

function median(numbers: readonly number[]): number | null {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? null;
}
