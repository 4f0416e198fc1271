import { at } from '../at';
import { compareReadings, type Reading } from '../reading';

/**
 * Defines when a reading is too old to describe the air, and when its sensor is silent. Everything that judges the air now
 * takes its times from here: pages, `/metrics` and the notifications. Two questions about the past have other answers:
 *
 * - A gap of a chart (`readings/chart/gap.ts`) is known from both sides. It compares an interval with its neighbours before
 *   and after, without a least or a longest time: a sensor that sent once an hour last year shows no gap between its
 *   readings, although each of them was stale after a quarter of an hour.
 * - Time in a level (`readings/roll-up/slot.ts`) has to be summed from stored slots of five minutes, by SQL too. So it
 *   counts a slot with few readings up to the next one instead of asking for the interval at each reading.
 */

/** A reading is stale when it is older than this many usual intervals of its sensor, */
const STALE_INTERVALS = 3;

/** but never before this age, however fast the sensor is, */
const MIN_STALE_MS = 45_000;

/** and always above this one, however slow the sensor is: air changes in a quarter of an hour. */
export const MAX_STALE_MS = 15 * 60_000;

/** A sensor is silent after this many of its usual intervals without a reading, */
const SILENT_INTERVALS = 3;

/** but not before this time: people who are notified of it have to look after the sensor. */
export const MIN_SILENT_MS = 15 * 60_000;

/** and always after this one. */
const MAX_SILENT_MS = 7 * 86_400_000;

/** The usual interval is learnt from this many of the latest intervals. */
export const LATEST_INTERVALS = 8;

/** The server takes readings from a clock that is at most this far ahead of its own. */
export const MAX_AHEAD_MS = 60_000;

/**
 * Times up to this far apart may be the same: sensors, the server and the hosted store have clocks of their own, and a
 * page's estimate of the server's is up to a second behind, or by as much as an answer took.
 */
export const CLOCK_TOLERANCE_MS = MAX_AHEAD_MS + 5000;

/**
 * How far the last reading can be trusted. Only a `live` reading describes the air now. A `slow` one doesn't, but its
 * sensor sends no more often; after a `stale` one the sensor has missed readings.
 */
export type Freshness = 'none' | 'live' | 'ahead' | 'slow' | 'stale' | 'disconnected';

/** The values that freshness depends on. */
interface Known {
  /** The newest reading; the one stored last if the newest is from the future. */
  last: Reading | null;
  /** Oldest first. */
  readings: readonly Reading[];
  /** True if new readings don't reach the page. */
  isDisconnected: boolean;
}

/**
 * Judges how far the last reading can be trusted.
 *
 * @param now the server's clock in milliseconds, because the viewer's may be wrong
 */
export function freshnessOf({ last, readings, isDisconnected }: Known, now: number): Freshness {
  if (isDisconnected) return 'disconnected';
  if (!last) return 'none';
  if (isAhead(last, now)) return 'ahead';
  const known = readingsUntil(readings, last);
  const ageMs = now - Date.parse(last.created_at);
  if (ageMs <= staleAgeMs(longestUsualMs(known))) return 'live';
  return ageMs <= STALE_INTERVALS * (usualIntervalMs(known) ?? 0) ? 'slow' : 'stale';
}

/**
 * Judges how far a sensor's newest reading can be trusted if nothing else is known of it. One reading doesn't show a slow
 * sensor's interval, so it is stale when no sensor's would be live.
 */
export function freshnessOfOne(newest: Reading, now: number): 'ahead' | 'live' | 'stale' {
  if (isAhead(newest, now)) return 'ahead';
  return now - Date.parse(newest.created_at) > MAX_STALE_MS ? 'stale' : 'live';
}

/**
 * Returns true if a reading is from the future: the server's clock was set back after it was stored, or the sensor's was
 * ahead of it.
 *
 * @param now the server's clock in milliseconds
 */
export function isAhead({ created_at }: Pick<Reading, 'created_at'>, now: number): boolean {
  return Date.parse(created_at) - now > CLOCK_TOLERANCE_MS;
}

/**
 * Returns the readings up to the last one, which leaves out those from the future.
 *
 * @param readings oldest first
 * @param last added if it is missing, because a page keeps only the newest readings
 */
export function readingsUntil(readings: readonly Reading[], last: Reading): readonly Reading[] {
  if (readings.at(-1) === last) return readings;
  return [...readings.filter((reading) => compareReadings(reading, last) < 0), last];
}

/**
 * Returns true if the air wasn't known any more when the reading at `index` came: the one before it wasn't live by then,
 * so nothing is known of the time between them.
 *
 * @param readings oldest first
 */
export function isAfterSilence(readings: readonly Reading[], index: number): boolean {
  const [before, reading] = [readings[index - 1], readings[index]];
  if (!before || !reading) return true;
  const interval = msBetween(before, reading);
  if (interval <= MIN_STALE_MS || interval > MAX_STALE_MS) return interval > MAX_STALE_MS;
  // The usual interval is at least the latest one. Most readings end here; learning the interval takes longer.
  const earlier = readings[index - 2];
  if (earlier && interval <= STALE_INTERVALS * msBetween(earlier, before)) return false;
  return interval > staleAgeMs(longestUsualMs(readings, index));
}

/**
 * Returns the age above which the air before a reading isn't known any more, as `isAfterSilence` judges it, for the
 * notifications, which keep intervals instead of readings.
 *
 * @param intervals the latest, oldest first, in milliseconds. None don't show how often the sensor sends.
 */
export function staleAgeAfter(intervals: readonly number[]): number {
  if (intervals.length === 0) return MAX_STALE_MS;
  const [, longestButOne = 0] = [...intervals].sort((a, b) => b - a);
  return staleAgeMs(Math.max(at(intervals, intervals.length - 1), longestButOne));
}

/**
 * Returns how long after its newest reading a sensor counts as silent: `SILENT_AFTER`, or learnt from its latest intervals.
 */
export function silentAfter(
  { spans }: { spans?: { pauses: readonly number[] } },
  { silentAfterMs }: { silentAfterMs: number | null },
): number {
  if (silentAfterMs !== null) return silentAfterMs;
  const usualMs = median(spans?.pauses ?? []) ?? 0;
  return Math.min(MAX_SILENT_MS, Math.max(MIN_SILENT_MS, SILENT_INTERVALS * usualMs));
}

/**
 * Returns the interval in which a sensor sends: the median of its latest ones.
 *
 * @param readings oldest first
 * @returns milliseconds; null for fewer than three readings
 */
export function usualIntervalMs(readings: readonly Reading[]): number | null {
  const latest = readings.slice(-LATEST_INTERVALS - 1);
  return median(latest.slice(1).map((reading, i) => msBetween(at(latest, i), reading)));
}

/** Readings that came this shortly before the newest one count too, so that a burst doesn't hide the intervals before it. */
const LATEST_MS = 900_000;

/**
 * Returns the time that a sensor usually takes at most: the longest of its latest intervals but one, so that a single
 * outage doesn't count; or the newest if that is longer, because the sensor may have slowed down.
 *
 * @param readings oldest first
 * @param count only this many of the readings are known, the oldest
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

/** Returns the milliseconds from one reading to another. */
export function msBetween(from: Reading, to: Reading): number {
  return timeOf(to) - timeOf(from);
}

/** Returns the age in milliseconds above which a reading isn't live, of a sensor that sends in this interval. */
function staleAgeMs(intervalMs: number): number {
  return Math.min(MAX_STALE_MS, Math.max(MIN_STALE_MS, STALE_INTERVALS * intervalMs));
}

/**
 * Returns the median, so that neither an outage nor a burst counts; of the two in the middle, the shorter one. Null for
 * fewer than two intervals, because a single one may be an outage.
 */
function median(intervals: readonly number[]): number | null {
  const sorted = [...intervals].sort((a, b) => a - b);
  return sorted.length < 2 ? null : at(sorted, Math.ceil(sorted.length / 2) - 1);
}

function timeOf({ created_at }: Reading): number {
  return Date.parse(created_at);
}
