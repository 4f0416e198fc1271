import { at } from '../at';
import { dropOldest } from '../drop-oldest';

/** Formats a local time as `13:05`. */
export function clockTime(time: Date): string {
  return `${time.getHours()}:${padded(time.getMinutes())}`;
}

/** Formats a local time as `13:05:09`. */
export function clockTimeToSecond(time: Date): string {
  return `${clockTime(time)}:${padded(time.getSeconds())}`;
}

/** Times in a shorter span are shown with seconds. */
const SECONDS_BELOW_MS = 600_000;

/** Returns the time format for a span: with seconds if it is short. */
export function clockTimeIn(spanMs: number): (time: Date) => string {
  return spanMs < SECONDS_BELOW_MS ? clockTimeToSecond : clockTime;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}

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

/** A period during which a zone has one offset from UTC. All numbers are seconds; times are since 1970. */
export interface OffsetPeriod {
  from: number;
  to: number;
  /** Local time minus UTC. */
  offset: number;
}

/** Clock changes are further apart than this: the closest pair is Morocco's, around Ramadan. */
const SAMPLE_SECONDS = 14 * 86_400;

/** The number of cached formatters. Each takes 25 ms and 50 kB, and a request may name any zone. */
const KEPT_ZONES = 20;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns true for the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns a zone's offset (local time minus UTC) at a time, in seconds. */
export function zoneOffset(zone: string, time: number): number {
  const [, sign, hours, minutes, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(zone).format(time * 1000)) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** Formats a zone's local time as ISO 8601 with `Z`, as if it were UTC. `ms` is milliseconds since 1970. */
export function localIsoTime(zone: string, ms: number): string {
  return new Date(ms + zoneOffset(zone, Math.floor(ms / 1000)) * 1000).toISOString();
}

/** Splits a span at a zone's clock changes. */
export function offsetPeriods(zone: string, from: number, to: number): OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  let period = { from, offset: zoneOffset(zone, from) };
  for (let time = from; time < to; ) {
    const next = Math.min(time + SAMPLE_SECONDS, to);
    const isChanged = zoneOffset(zone, next) !== period.offset;
    time = isChanged ? changeBetween(zone, time, next, period.offset) : next;
    if (!isChanged) continue;
    periods.push({ ...period, to: time });
    period = { from: time, offset: zoneOffset(zone, time) };
  }
  return period.from < to ? [...periods, { ...period, to }] : periods;
}

/** Finds the clock change between two times: the first second at which the zone no longer has `offset`. */
function changeBetween(zone: string, before: number, after: number, offset: number): number {
  let [known, changed] = [before, after];
  while (changed - known > 1) {
    const middle = Math.floor((known + changed) / 2);
    if (zoneOffset(zone, middle) === offset) known = middle;
    else changed = middle;
  }
  return changed;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  dropOldest(formats, KEPT_ZONES);
  return format;
}
