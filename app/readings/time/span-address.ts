import { formatQuery } from '../format/format-query';
import {
  type AskedSpan,
  CALENDAR_UNITS,
  LAST_DAYS,
  openingSpan,
  type Span,
  type SpanContext,
} from './history-span';
import { parseAddressTime } from './reading-time';

/** No readings are from before 2000, and the API accepts no years after 2099. */
const [FIRST_YEAR, LAST_YEAR] = [2000, 2098];

/** The query parameters that define a span. */
export const SPAN_PARAMETERS = ['span', 'date', 'from', 'to'] as const;

/** An API answer has at most 2,000 steps of at most a week. */
const MOST_YEARS = 38;
const YEAR_MS = 365.25 * 86_400_000;

/**
 * Parses a span from a page's query. Times are ISO 8601.
 *
 * - `?span=week`: the last seven days
 * - `?span=week&date=2026-11-21`: the calendar week
 * - `?span=week&to=…`: the seven days up to `to`
 * - `?from=…&to=…`
 *
 * @throws RangeError with a message for the viewer
 */
export function parseSpan(query: URLSearchParams): AskedSpan {
  const [span, date, from, to] = SPAN_PARAMETERS.map((name) => query.get(name));
  const lastDays = (Object.keys(LAST_DAYS) as (keyof typeof LAST_DAYS)[]).find((name) => name === span);
  if (lastDays && to && !date && !from) return withKnownYears({ name: lastDays, date: null, to: timeOf(to) });
  if (from || to) {
    if (span || date)
      throw new RangeError('The address has both a span and from or to. Leave one of them out.');
    return parsePart(from, to);
  }
  if (span === 'all') return { name: 'all' };
  const name = CALENDAR_UNITS.find((unit) => unit === (span || 'day'));
  if (!name) throw new RangeError(`There is no span "${span}". Choose day, week, month, year or all.`);
  if (date && !isDate(date)) throw new RangeError(`"${date}" isn't a date. Write one like 2026-11-21.`);
  return withKnownYears({ name, date: date || null });
}

/** Returns the span in an address. Ignores an invalid one, which the server rejects before it shows a page. */
export function spanInAddress(search: string, context: SpanContext): AskedSpan {
  const query = new URLSearchParams(search);
  try {
    if (SPAN_PARAMETERS.some((name) => query.get(name))) return parseSpan(query);
  } catch {}
  return openingSpan(context);
}

function parsePart(fromText?: string | null, toText?: string | null): AskedSpan {
  if (!fromText || !toText) throw new RangeError(`Write both from and to like ${EXAMPLE}.`);
  const [from, to] = [timeOf(fromText), timeOf(toText)];
  if (from >= to) throw new RangeError(`from must be before to: ${fromText} isn't before ${toText}.`);
  if (to - from > MOST_YEARS * YEAR_MS)
    throw new RangeError(`The span is longer than ${MOST_YEARS} years. Choose a shorter one.`);
  return withKnownYears({ name: 'part', from, to });
}

const EXAMPLE = '2026-11-21T00:00:00Z';

function timeOf(text: string): number {
  const time = parseAddressTime(text);
  if (time === null) throw new RangeError(`"${text}" isn't a time with its zone. Write one like ${EXAMPLE}.`);
  return time / 1000;
}

function withKnownYears(asked: AskedSpan): AskedSpan {
  if (hasAddress(asked)) return asked;
  throw new RangeError(`Choose a time in the years from ${FIRST_YEAR} to ${LAST_YEAR}.`);
}

/** Returns true if a span can have an address, which is limited to the years from `FIRST_YEAR` to `LAST_YEAR`. */
export function hasAddress(asked: AskedSpan): boolean {
  if (asked.name === 'part') return isKnownYear(asked.from) && isKnownYear(asked.to);
  if (asked.name === 'all') return true;
  if (asked.date !== null) return isKnownYear(Date.parse(asked.date));
  return asked.to === undefined || isKnownYear(asked.to);
}

function isKnownYear(ms: number): boolean {
  const year = new Date(ms).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

function isDate(text: string): boolean {
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
  // `Date` may turn February 29 into a day in March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Returns a page's query with another span. Keeps the other parameters. */
export function withSpan(search: string, asked: AskedSpan): string {
  return spanQueries(search)(asked);
}

/** Like `withSpan`, but parses the query once; for tables. */
export function spanQueries(search: string): (asked: AskedSpan) => string {
  const query = new URLSearchParams(search);
  for (const name of SPAN_PARAMETERS) query.delete(name);
  const others = query.size > 0 ? `${formatQuery(query)}&` : '?';
  return (asked) => `${others}${spanQuery(asked)}`;
}

function spanQuery(asked: AskedSpan): string {
  if (asked.name === 'part') return `from=${formatTime(asked.from)}&to=${formatTime(asked.to)}`;
  if (asked.name === 'all') return 'span=all';
  const { name, date, to } = asked;
  return `span=${name}${date ? `&date=${date}` : ''}${to === undefined ? '' : `&to=${formatTime(to)}`}`;
}

/** Formats a time as ISO 8601 in UTC, with milliseconds only if they aren't zero. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000', '');
}

/** Rounds a part's times to seconds if it is long, for a short address. The rounding moves the chart by less than a pixel. */
export function roundPart({ from, to }: Span): AskedSpan {
  const unit = to - from > 1_000_000 ? 1000 : 1;
  const start = Math.round(from / unit) * unit;
  return { name: 'part', from: start, to: Math.max(start + unit, Math.round(to / unit) * unit) };
}
