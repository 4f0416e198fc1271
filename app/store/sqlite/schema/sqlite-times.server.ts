import { formatReadingTime, parseReadingTime } from '../../../readings/time/reading-time';

/** The length of a time such as `2026-01-31T08:00:00.000Z`. */
const MILLISECONDS_LENGTH = 24;

/** Converts a time to microseconds since 1970, the file's unit. */
export function toMicros(text: string): number {
  // Faster than `parseReadingTime` for times of many days, because that function caches only one day.
  const milliseconds = text.length === MILLISECONDS_LENGTH ? Date.parse(text) : Number.NaN;
  const time = Number.isNaN(milliseconds) ? parseReadingTime(text) : milliseconds * 1000;
  if (time === null) throw new RangeError(`"${text}" is not an ISO 8601 time with Z or an offset.`);
  return time;
}

export const toMicrosOrNull = (text: string | null) => (text === null ? null : toMicros(text));
export const toTextOrNull = (time: number | null) => (time === null ? null : formatReadingTime(time));
