import { at } from '../at';

export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time of day in the local time zone. */
export type FormatTime = (time: Date) => string;

/** Formats times of day, and days. */
export interface TimeFormat {
  time: FormatTime;
  /** Formats a day, with its year unless it is in the year of `now`. */
  day(day: Date, now: Date): string;
}

/** Returns true if two times are on the same local day. */
export function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}

/** Formats a local day as `21 Nov`, with its year unless it is in the year of `now`. Avoids `Intl`, which is slow to start. */
export function formatDay(day: Date, now: Date): string {
  const year = day.getFullYear() === now.getFullYear() ? '' : ` ${day.getFullYear()}`;
  return `${day.getDate()} ${monthName(day)}${year}`;
}

/** Formats a local day with its weekday: `Sat 21 Nov`. */
export function formatWeekday(day: Date): string {
  return `${weekdayName(day)} ${day.getDate()} ${monthName(day)}`;
}

/** Returns the short name of a weekday: `Sat`. */
export function weekdayName(day: Date): string {
  return at(WEEKDAYS, day.getDay());
}

/** Returns the short name of a month: `Nov`. */
export function monthName(day: Date): string {
  return at(MONTHS, day.getMonth());
}

/** Returns the start of a local day: midnight, or the first time after it if the clocks skip midnight. */
export function startOfDay(time: Date): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate());
}

/** Combines a time format with English days. */
export function withEnglishDays(time: FormatTime): TimeFormat {
  return { time, day: formatDay };
}

/** Formats a time, preceded by its day unless that is today. */
export function formatWithDay(time: Date, now: Date, format: TimeFormat): string {
  return isSameDay(time, now) ? format.time(time) : `${format.day(time, now)} ${format.time(time)}`;
}

/**
 * Formats two times, with their days unless both are today. A common day is written once.
 *
 * @param between the separator, with its spaces
 */
export function formatTimeSpan(
  [from, to]: readonly [Date, Date],
  now: Date,
  format: TimeFormat,
  between: string,
): string {
  if (isSameDay(from, to)) return `${formatWithDay(from, now, format)}${between}${format.time(to)}`;
  const withDay = (time: Date) => `${format.day(time, now)} ${format.time(time)}`;
  return `${withDay(from)}${between}${withDay(to)}`;
}
