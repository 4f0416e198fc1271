/** The newest reading is stale when it is older than this many usual intervals. */
export const STALE_INTERVALS = 3;

/** The newest reading is never stale before this age, however fast the sensor is. */
export const MIN_STALE_MS = 45_000;

/** The newest reading is always stale above this age, however slow the sensor is: air changes in a quarter of an hour. */
export const MAX_STALE_MS = 900_000;

/** Returns the age in milliseconds above which a reading isn't live, of a sensor that sends in this interval. */
export function staleAgeMs(intervalMs: number): number {
  return Math.min(MAX_STALE_MS, Math.max(MIN_STALE_MS, STALE_INTERVALS * intervalMs));
}
