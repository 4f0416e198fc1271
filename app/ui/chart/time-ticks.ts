import { at } from '../../readings/at';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../readings/time/durations';
import type { Span } from '../../readings/time/history-span';
import {
  clockTime,
  clockTimeToSecond,
  type FormatTime,
  formatDay,
  formatWeekday,
  monthName,
  type TimeFormat,
  weekdayName,
} from '../../readings/time/local-time';
import type { TimeMark } from './chart-model';

const SECOND_MS = 1000;

interface Interval {
  unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';
  count: number;
}

/** The approximate length of each unit in milliseconds. */
const LENGTHS = {
  second: SECOND_MS,
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  month: 30 * DAY_MS,
  year: 365 * DAY_MS,
};

const INTERVALS: Interval[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ unit: 'second', count }) as const),
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ unit: 'minute', count }) as const),
  ...[1, 2, 3, 6, 12].map((count) => ({ unit: 'hour', count }) as const),
  ...[1, 2, 7, 14].map((count) => ({ unit: 'day', count }) as const),
  ...[1, 3, 6].map((count) => ({ unit: 'month', count }) as const),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((count) => ({ unit: 'year', count }) as const),
];

/** The most days of a view whose axis shows times of day, days or months. Longer views show years. */
const MOST_DAYS = { times: 4, days: 120, months: 2200 };

const MOST_TICKS = 60;

export interface TimeTicks {
  times: number[];
  labels: string[];
  /** True if the ticks are starts of days, months or years. */
  areDays: boolean;
}

/** Returns as many round local times as fit. `roomOf` returns a label's width in milliseconds of the axis. */
export function timeTicks(view: Span, roomOf: (label: string) => number): TimeTicks {
  const length = view.to - view.from;
  const shortest =
    length / DAY_MS <= MOST_DAYS.times ? 'second' : length / DAY_MS <= MOST_DAYS.days ? 'day' : 'month';
  let ticks: TimeTicks = { times: [], labels: [], areDays: true };
  for (const { unit, count } of INTERVALS) {
    const isTooShort = LENGTHS[unit] < LENGTHS[shortest] || length > MOST_TICKS * count * LENGTHS[unit];
    if (isTooShort) continue;
    const times = timesOf({ unit, count }, view);
    const format = formatTimeOf(unit === 'day' && count === 1 ? 'weekday' : unit);
    ticks = { times, labels: times.map(format), areDays: LENGTHS[unit] >= DAY_MS };
    const room = Math.max(...ticks.labels.map(roomOf));
    if (times.every((time, i) => i === 0 || time - at(times, i - 1) >= room)) return ticks;
  }
  return ticks;
}

/** The name of the day at the view's start is left out if the next day starts within this share of the view. */
const START_SHARE = 0.25;

/** Returns the starts of days, months or years in a view, depending on its length; empty for many years. */
export function timeMarks(view: Span): TimeMark[] {
  const { from, to } = view;
  const unit = markUnit(view);
  if (!unit) return [];
  const format = formatTimeOf(MARK_FORMATS[unit]);
  const marks = timesOf({ unit, count: 1 }, view)
    .filter((position) => position < to)
    .map((position) => ({ position, name: format(position) }));
  const hasRoom = (marks[0]?.position ?? to) >= from + START_SHARE * (to - from);
  return hasRoom ? [{ position: from, name: format(from), hasBegun: true }, ...marks] : marks;
}

function markUnit({ from, to }: Span): 'day' | 'month' | 'year' | null {
  const days = (to - from) / DAY_MS;
  if (days <= MOST_DAYS.times) return 'day';
  if (days <= MOST_DAYS.days) return 'month';
  return days <= MOST_DAYS.months ? 'year' : null;
}

const MARK_FORMATS = { day: 'date', month: 'named-month', year: 'year' } as const satisfies Record<
  string,
  TimeUnit
>;

/** Returns the times in view that are multiples of an interval in the local time zone. */
function timesOf({ unit, count }: Interval, { from, to }: Span): number[] {
  const start = new Date(from);
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()];
  if (unit === 'year') return collect((i) => new Date((Math.floor(year / count) + i) * count, 0));
  if (unit === 'month') return collect((i) => new Date(year, (Math.floor(month / count) + i) * count));
  if (unit === 'day') {
    // Counted from a Monday, so that weeks start on Mondays even across months.
    const days = Math.round(Date.UTC(year, month, date) / DAY_MS) + 3;
    return collect((i) => new Date(year, month, date - (days % count) + i * count));
  }
  return timesOfDay(count * LENGTHS[unit], { from, to });

  function collect(timeAt: (i: number) => Date): number[] {
    const times: number[] = [];
    for (let i = 0; ; i++) {
      const time = timeAt(i).getTime();
      if (time > to) return times;
      if (time >= from) times.push(time);
    }
  }
}

/** Offsets from UTC change at multiples of a quarter of an hour. */
const QUARTER = 15 * MINUTE_MS;

/** Returns the times at which the local clock shows a multiple of an interval, even around clock changes. */
function timesOfDay(intervalMs: number, { from, to }: Span): number[] {
  const times: number[] = [];
  for (let earliest = from; earliest <= to; ) {
    const offset = offsetAt(earliest);
    const time = Math.ceil((earliest + offset) / intervalMs) * intervalMs - offset;
    if (offsetAt(time) !== offset) {
      earliest = (Math.floor(earliest / QUARTER) + 1) * QUARTER;
      continue;
    }
    if (time <= to) times.push(time);
    earliest = time + 1;
  }
  return times;
}

const offsetAt = (time: number) => -new Date(time).getTimezoneOffset() * MINUTE_MS;

/** A format. `day` includes the month, `weekday` the weekday, and `date` both. */
type TimeUnit = 'second' | 'minute' | 'hour' | 'day' | 'weekday' | 'date' | 'month' | 'named-month' | 'year';

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

/** Returns an English format with the day before the month, as in all page texts. Avoids `Intl`, which is slow to start. */
function formatTimeOf(unit: TimeUnit): (time: number | Date) => string {
  return (time) => FORMATS[unit](new Date(time));
}

export function localTimeFormat(unit: 'second' | 'minute'): TimeFormat {
  return { time: FORMATS[unit], day: formatDay };
}
