import { at } from '../at';
import { lowerMedian } from '../quantiles';
import { compareReadings, type Reading } from '../reading';

/**
 * Decides when a reading is too old to describe the air, and when its sensor is silent. Pages, `/metrics` and notifications
 * use these rules to judge the air now. A stale reading only means that the air is not known: a page says to check the sensor
 * once it is silent, when a notification would say so too. The past has two other rules:
 *
 * - Gaps in a chart (`readings/chart/gap.ts`): an interval is compared with its neighbours before and after it, without the
 *   minimum and maximum of this file. A sensor that sent once an hour last year has no gaps, although each of its readings
 *   became stale after a quarter of an hour.
 * - Time in a level (`readings/roll-up/slot.ts`): it is summed from stored five-minute slots, also in SQL. A slot with few
 *   readings counts up to the next slot, without regard to the sensor's interval.
 */

/** A reading is stale once it is older than this many of its sensor's usual intervals. */
export const STALE_INTERVALS = 3;

/** No reading is stale before this age, even if its sensor posts more often. */
export const MIN_STALE_MS = 45_000;

/** Every reading is stale after this age, because air changes within a quarter of an hour. */
export const MAX_STALE_MS = 15 * 60_000;

/** A sensor is silent after this many of its usual intervals without a reading. */
const SILENT_INTERVALS = 3;

/** No sensor is silent sooner, because each notification asks someone to check the sensor. */
export const MIN_SILENT_MS = 15 * 60_000;

/** Every sensor is silent after this time without a reading. */
const MAX_SILENT_MS = 7 * 86_400_000;

/** The number of latest intervals from which the usual one is learnt. */
export const LATEST_INTERVALS = 8;

/** The server rejects readings whose time is further ahead of its own clock. */
export const MAX_AHEAD_MS = 60_000;

/**
 * Clocks may differ by this much. Sensors, the server and the hosted store have their own clocks, and a page's estimate of the
 * server's clock lags by up to a second, or by the duration of a request.
 */
export const CLOCK_TOLERANCE_MS = MAX_AHEAD_MS + 5000;

/**
 * The freshness of the last reading. Only a `live` reading describes the air now. A `slow` reading is too old for that, but its
 * sensor doesn't send more often. After a `stale` reading, the sensor has missed readings. While the page is `checking` its
 * connection, either may be the cause.
 */
export type Freshness = 'none' | 'live' | 'ahead' | 'slow' | 'stale' | 'checking' | 'disconnected';

/** The input of `freshnessOf`. */
interface Known {
  /** The newest reading, or the one stored last if the newest is from the future. */
  last: Reading | null;
  /** Oldest first. */
  readings: readonly Reading[];
  /** True if the page can't receive new readings. */
  isDisconnected: boolean;
  /** True while the page checks if it still receives new readings. */
  isChecking?: boolean;
  /** `SILENT_AFTER`, if set. No reading of a silent sensor is live. */
  silentAfterMs?: number | null;
}

/**
 * Returns the freshness of the last reading.
 *
 * @param now the server's clock in milliseconds, because the viewer's clock may be wrong
 */
export function freshnessOf(
  { last, readings, isDisconnected, isChecking, silentAfterMs = null }: Known,
  now: number,
): Freshness {
  if (isDisconnected) return 'disconnected';
  if (!last) return 'none';
  if (isAhead(last, now)) return 'ahead';
  const known = readingsUntil(readings, last);
  const ageMs = now - Date.parse(last.created_at);
  const isSilenced = silentAfterMs !== null && ageMs > silentAfterMs;
  if (!isSilenced && ageMs <= staleAgeMs(longestUsualMs(known))) return 'live';
  if (isChecking) return 'checking';
  if (isSilenced) return 'stale';
  return ageMs <= STALE_INTERVALS * (usualIntervalMs(known) ?? 0) ? 'slow' : 'stale';
}

/**
 * Returns the freshness of a sensor's newest reading if no other reading is known. The interval is then unknown, so the
 * reading is stale only after `MAX_STALE_MS`, or after `SILENT_AFTER`.
 */
export function freshnessOfOne(
  newest: Reading,
  now: number,
  silentAfterMs: number | null = null,
): 'ahead' | 'live' | 'stale' {
  if (isAhead(newest, now)) return 'ahead';
  const longestMs = Math.min(MAX_STALE_MS, silentAfterMs ?? MAX_STALE_MS);
  return now - Date.parse(newest.created_at) > longestMs ? 'stale' : 'live';
}

/** Returns true if a page's sensor is silent: by the rule of the notifications, from the readings that the page has. */
export function isSilent(
  { last, readings, silentAfterMs = null }: Pick<Known, 'last' | 'readings' | 'silentAfterMs'>,
  now: number,
): boolean {
  if (!last) return false;
  const spans = { pauses: latestIntervals(readingsUntil(readings, last)) };
  return now - Date.parse(last.created_at) > silentAfter({ spans }, { silentAfterMs });
}

/**
 * Returns true if a reading is from the future: the server's clock was set back after storing it, or the sensor's clock is
 * ahead.
 *
 * @param now the server's clock in milliseconds
 */
export function isAhead({ created_at }: Pick<Reading, 'created_at'>, now: number): boolean {
  return Date.parse(created_at) - now > CLOCK_TOLERANCE_MS;
}

/**
 * Returns the readings up to `last`, without those from the future.
 *
 * @param readings oldest first
 * @param last added if missing, because a page keeps only the newest readings
 */
export function readingsUntil(readings: readonly Reading[], last: Reading): readonly Reading[] {
  if (readings.at(-1) === last) return readings;
  return [...readings.filter((reading) => compareReadings(reading, last) < 0), last];
}

/**
 * Returns true if the reading before `index` was no longer live when the one at `index` arrived. The air between them is
 * unknown.
 *
 * @param readings oldest first
 */
export function isAfterSilence(readings: readonly Reading[], index: number): boolean {
  const [before, reading] = [readings[index - 1], readings[index]];
  if (!before || !reading) return true;
  const interval = msBetween(before, reading);
  if (interval <= MIN_STALE_MS || interval > MAX_STALE_MS) return interval > MAX_STALE_MS;
  // The usual interval is at least the latest one. This check is quick and settles most cases.
  const earlier = readings[index - 2];
  if (earlier && interval <= STALE_INTERVALS * msBetween(earlier, before)) return false;
  return interval > staleAgeMs(longestUsualMs(readings, index));
}

/**
 * Returns the longest interval in milliseconds after which the air before a reading is still known, by the rule of
 * `isAfterSilence`. For notifications, which keep intervals instead of readings.
 *
 * @param intervals the latest intervals in milliseconds, oldest first. If empty, the result is `MAX_STALE_MS`.
 */
export function staleAgeAfter(intervals: readonly number[]): number {
  if (intervals.length === 0) return MAX_STALE_MS;
  const [, longestButOne = 0] = [...intervals].sort((a, b) => b - a);
  return staleAgeMs(Math.max(at(intervals, intervals.length - 1), longestButOne));
}

/** Returns the milliseconds without a reading after which a sensor is silent: `SILENT_AFTER`, or learnt from its intervals. */
export function silentAfter(
  { spans }: { spans?: { pauses: readonly number[] } },
  { silentAfterMs }: { silentAfterMs: number | null },
): number {
  if (silentAfterMs !== null) return silentAfterMs;
  const usualMs = usualOf(spans?.pauses ?? []) ?? 0;
  return Math.min(MAX_SILENT_MS, Math.max(MIN_SILENT_MS, SILENT_INTERVALS * usualMs));
}

/**
 * Returns a sensor's usual interval: the median of its latest ones.
 *
 * @param readings oldest first
 * @returns milliseconds; null for fewer than three readings
 */
export function usualIntervalMs(readings: readonly Reading[]): number | null {
  return usualOf(latestIntervals(readings));
}

function latestIntervals(readings: readonly Reading[]): number[] {
  const latest = readings.slice(-LATEST_INTERVALS - 1);
  return latest.slice(1).map((reading, i) => msBetween(at(latest, i), reading));
}

/** Readings within this time before the newest one also count, so that a burst doesn't hide the usual intervals. */
const LATEST_MS = 900_000;

/**
 * Returns the longest usual interval of a sensor: the second longest of its latest intervals, so that a single outage doesn't
 * count, or the newest interval if that is longer, because the sensor may have slowed down.
 *
 * @param readings oldest first
 * @param count uses only the oldest `count` readings
 * @returns milliseconds; 0 for fewer than two readings
 */
export function longestUsualMs(readings: readonly Reading[], count: number = readings.length): number {
  if (count < 2) return 0;
  const newest = timeOf(at(readings, count - 1));
  const newestInterval = newest - timeOf(at(readings, count - 2));
  let longest = 0;
  let longestButOne = 0;
  let end = newest;
  for (let i = count - 2; i >= 0; i--) {
    if (count - i > LATEST_INTERVALS + 1 && newest - end > LATEST_MS) break;
    const start = timeOf(at(readings, i));
    const interval = end - start;
    longestButOne = Math.max(longestButOne, Math.min(longest, interval));
    longest = Math.max(longest, interval);
    end = start;
  }
  return Math.max(newestInterval, longestButOne);
}

export function msBetween(from: Reading, to: Reading): number {
  return timeOf(to) - timeOf(from);
}

/** Returns the age in milliseconds after which a reading is no longer live, for a sensor with this interval. */
function staleAgeMs(intervalMs: number): number {
  return Math.min(MAX_STALE_MS, Math.max(MIN_STALE_MS, STALE_INTERVALS * intervalMs));
}

/**
 * Returns the usual one of a sensor's intervals: the median, which neither an outage nor a burst distorts. Null for fewer than
 * two intervals, because a single one may be an outage.
 */
function usualOf(intervals: readonly number[]): number | null {
  return intervals.length < 2 ? null : lowerMedian(intervals);
}

function timeOf({ created_at }: Reading): number {
  return Date.parse(created_at);
}
