import { type AskedSpan, isLastDays, LAST_DAYS, type Span } from '../../../readings/time/history-span';
import {
  clockTimeIn,
  formatDay,
  formatWeekday,
  isSameDay,
  monthName,
} from '../../../readings/time/local-time';

const DAYS_FROM_MS = 14 * 86_400_000;

/**
 * Describes a span in local time: `Sat 21 Nov 2026`, `Last 7 days`, `16–22 Nov 2026`, `Nov 2026`, `2026`, or
 * `21 Nov 10:00 – 12:30` with its year unless it is in the year of `now`.
 */
export function spanTitle(asked: AskedSpan, { from, to }: Span, now: Date): string {
  const [start, end] = [new Date(from), new Date(to)];
  const year = start.getFullYear();
  if (isLastDays(asked))
    return asked.to === undefined ? `Last ${LAST_DAYS[asked.name]} days` : daysTitle(start, new Date(to - 1));
  switch (asked.name) {
    case 'day':
      return `${formatWeekday(start)} ${year}`;
    case 'week':
      return daysTitle(start, new Date(to - 1));
    case 'month':
      return `${monthName(start)} ${year}`;
    case 'year':
      return String(year);
    case 'all':
      return 'All readings';
    case 'part': {
      if (to - from >= DAYS_FROM_MS) return daysTitle(start, new Date(to - 1));
      const format = clockTimeIn(to - from);
      const dated = (time: Date) => `${formatDay(time, now)} ${format(time)}`;
      return `${dated(start)} – ${isSameDay(start, end) ? format(end) : dated(end)}`;
    }
  }
}

/** Formats a span's first and last day: `12–18 Nov`, with the year unless it is the year of `now`. */
export function nameDays({ from, to }: Span, now: Date): string {
  const [first, last] = [new Date(from), new Date(to - 1)];
  const title = daysTitle(first, last);
  const isThisYear = [first, last].every((day) => day.getFullYear() === now.getFullYear());
  return isThisYear ? title.slice(0, -' 2026'.length) : title;
}

function daysTitle(first: Date, last: Date): string {
  const dayOf = (day: Date) => `${day.getDate()} ${monthName(day)}`;
  const end = `${dayOf(last)} ${last.getFullYear()}`;
  if (first.getFullYear() !== last.getFullYear()) return `${dayOf(first)} ${first.getFullYear()} – ${end}`;
  return first.getMonth() === last.getMonth() ? `${first.getDate()}–${end}` : `${dayOf(first)} – ${end}`;
}
