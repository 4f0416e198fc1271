import { DAY_US, SECOND_US } from './durations';

/** The accepted times in seconds since 1970: the years 100 to 9999 in UTC. */
const EARLIEST_SECONDS = Date.UTC(100, 0) / 1000;
const END_SECONDS = Date.UTC(10_000, 0) / 1000;

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))? ?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/i;

/**
 * Parses an ISO 8601 time with `Z` or an offset. Decimals after the sixth are ignored. A space before the offset is accepted,
 * because Ruby writes one.
 *
 * @returns microseconds since 1970, exact until the year 2255; null if the text isn't such a time, or if its year in UTC isn't
 *   between 100 and 9999
 */
export function parseReadingTime(text: string): number | null {
  const [, date, hour, minute, second, decimals = '', sign, offsetHour = 0, offsetMinute = 0] =
    TIME.exec(text) ?? [];
  if (!date || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const midnight = midnightOf(date);
  if (midnight === null) return null;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60 : 60);
  const seconds = midnight / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  if (seconds < EARLIEST_SECONDS || seconds >= END_SECONDS) return null;
  return seconds * SECOND_US + Number(decimals.slice(0, 6).padEnd(6, '0'));
}

/** Like `parseReadingTime`, for a URL parameter, where a plus sign that isn't encoded as %2B arrives as a space. */
export function parseAddressTime(text: string): number | null {
  return parseReadingTime(text.replace(/^(.*T.*) (?=\d\d:?\d\d$)/, '$1+'));
}

/** Caches the date parsed last, because a batch has many times on one day. */
let lastDate: { text: string; midnight: number | null } = { text: '', midnight: null };

/** Returns the start of a date in milliseconds since 1970; null if there is no such date. */
function midnightOf(text: string): number | null {
  if (text !== lastDate.text) {
    const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
    const midnight = Date.UTC(year, month - 1, day);
    // `Date.UTC` turns February 30 into a day in March, and the year 25 into 1925.
    const isDate = new Date(midnight).toISOString().startsWith(text);
    lastDate = { text, midnight: isDate ? midnight : null };
  }
  return lastDate.midnight;
}

/** Converts a stored time to microseconds since 1970. Six times as fast as `parseReadingTime`, which accepts any format. */
export function storedMicros(time: string): number {
  return Date.parse(time) * 1000 + (time.length === WITH_MICROSECONDS ? Number(time.slice(23, 26)) : 0);
}

const WITH_MICROSECONDS = '2026-01-02T10:00:00.000001Z'.length;

/** Caches the day formatted last, because a history has many times on one day and `toISOString` is slow. */
let lastDay = { start: Number.NaN, prefix: '' };

/**
 * Formats a reading's time as ISO 8601 in UTC with `Z`, with three decimals if these are exact, otherwise with six.
 *
 * @param time microseconds since 1970, in the years 0 to 9999
 */
export function formatReadingTime(time: number): string {
  const start = Math.floor(time / DAY_US) * DAY_US;
  if (start !== lastDay.start) {
    lastDay = { start, prefix: new Date(start / 1000).toISOString().slice(0, 11) };
  }
  const inDay = time - start;
  const seconds = Math.floor(inDay / SECOND_US);
  const micros = inDay - seconds * SECOND_US;
  const decimals = micros % 1000 === 0 ? pad(micros / 1000, 3) : pad(micros, 6);
  const minutes = Math.floor(seconds / 60);
  return `${lastDay.prefix}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}:${pad(seconds % 60, 2)}.${decimals}Z`;
}

/** Returns the time `ms` before a stored time, or after it if `ms` is negative. */
export function timeBefore(time: string, ms: number): string {
  return formatReadingTime(storedMicros(time) - ms * 1000);
}

const pad = (number: number, digits: number) => String(number).padStart(digits, '0');
