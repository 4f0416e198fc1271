import type { TimeFormat } from './local-day';

/**
 * The precision of a formatted time. `day` is one with its month, `day-of-year` the same with its year; `weekday` is a day with its
 * name, `date` the same with its month.
 */
export type TimeUnit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'day-of-year'
  | 'weekday'
  | 'date'
  | 'month'
  | 'named-month'
  | 'year';

/** 24 hours in every language, as everywhere on the page. */
const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' };

const FORMATS: Record<TimeUnit, Intl.DateTimeFormatOptions> = {
  second: { ...TIME, second: '2-digit' },
  minute: TIME,
  hour: TIME,
  day: { day: 'numeric', month: 'short' },
  'day-of-year': { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'short', day: 'numeric' },
  date: { weekday: 'short', day: 'numeric', month: 'short' },
  month: { month: 'short' },
  'named-month': { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
};

/** Creating a format takes a hundred times as long as using it. */
const created = new Map<TimeUnit, Intl.DateTimeFormat>();

/** Returns a function that formats times in the language and the time zone of the viewer. */
export function formatTimeOf(unit: TimeUnit): (time: number | Date) => string {
  const known = created.get(unit);
  if (known) return known.format;
  // Days, months and years begin where they do in this calendar, in every language.
  const format = new Intl.DateTimeFormat(undefined, { ...FORMATS[unit], calendar: 'gregory' });
  created.set(unit, format);
  return format.format;
}

/** Returns a format in the language and the time zone of the viewer. */
export function localTimeFormat(unit: 'second' | 'minute'): TimeFormat {
  return {
    // Nothing is created before it is used: the first drawing of a chart needs no times of day.
    time: (time) => formatTimeOf(unit)(time),
    day: (day, now) => formatTimeOf(day.getFullYear() === now.getFullYear() ? 'day' : 'day-of-year')(day),
  };
}
