import { clockTime, clockTimeToSecond } from '../../readings/time/clock-time';
import {
  type FormatTime,
  formatDay,
  formatWeekday,
  monthName,
  type TimeFormat,
  weekdayName,
} from '../../readings/time/local-day';

/**
 * The precision of a formatted time. `day` is one with its month; `weekday` is a day with its name, `date` the same with
 * its month.
 */
export type TimeUnit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'weekday'
  | 'date'
  | 'month'
  | 'named-month'
  | 'year';

const LONG_MONTHS =
  'January February March April May June July August September October November December'.split(' ');

const FORMATS: Record<TimeUnit, FormatTime> = {
  second: clockTimeToSecond,
  minute: clockTime,
  hour: clockTime,
  day: (time) => formatDay(time, time),
  weekday: (time) => `${weekdayName(time)} ${time.getDate()}`,
  date: formatWeekday,
  month: monthName,
  'named-month': (time) => `${LONG_MONTHS[time.getMonth()]} ${time.getFullYear()}`,
  year: (time) => String(time.getFullYear()),
};

/**
 * Returns a function that formats times in the viewer's time zone. English with the day first, as all texts of the pages:
 * `Intl` would write `Nov 21` beside `21 Nov` for some viewers, and is slow to start.
 */
export function formatTimeOf(unit: TimeUnit): (time: number | Date) => string {
  return (time) => FORMATS[unit](new Date(time));
}

/** Returns a format in the viewer's time zone. */
export function localTimeFormat(unit: 'second' | 'minute'): TimeFormat {
  return { time: FORMATS[unit], day: formatDay };
}
