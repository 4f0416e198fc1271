import { DAY_MS, HOUR_MS } from './durations';

/** A unit of the viewer's calendar. Weeks begin on Monday. */
export const CALENDAR_UNITS = ['day', 'week', 'month', 'year'] as const;
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** A time span in milliseconds since 1970. `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

/**
 * The span that an address names: a calendar unit, the last days, all readings, or a part that the viewer has zoomed to.
 */
export type AskedSpan =
  | {
      name: CalendarUnit;
      /** A day in the calendar unit, such as `2026-11-21`. Null for today, or for the last 7, 30 or 365 days. */
      date: string | null;
      /** The end of the 7, 30 or 365 days, in milliseconds since 1970; left out if they end now. */
      to?: number;
    }
  | { name: 'all' }
  | ({ name: 'part' } & Span);

/** The viewer's clock and the first reading's time, in milliseconds since 1970. */
export interface SpanLimits {
  now: number;
  /** The time of the first reading; null if there is none. */
  first: number | null;
}

/** The times on which a resolved span depends. */
export interface SpanContext extends SpanLimits {
  /** The time of the newest reading; null if there is none. */
  last: number | null;
}

/** The lengths in days of a week, a month and a year without a date. */
export const LAST_DAYS = { week: 7, month: 30, year: 365 } as const;

/** Returns true for the last 7, 30 or 365 days, or for the same number of earlier days. */
export function isLastDays(
  asked: AskedSpan,
): asked is { name: keyof typeof LAST_DAYS; date: null; to?: number } {
  return asked.name in LAST_DAYS && 'date' in asked && asked.date === null;
}

/** The end of the last days moves in steps of this length, which are narrower than two pixels of a chart. */
const LAST_DAYS_STEP_MS = { week: 900_000, month: 3_600_000, year: 43_200_000 } as const;

/** Returns the span for an address without one: today, or the newest reading's day if that is earlier. */
export function openingSpan({ now, last }: SpanContext): AskedSpan {
  const isToday = last === null || last >= startOf('day', new Date(now));
  return { name: 'day', date: isToday ? null : dateOf(last) };
}

/** Returns the start and end of a span in the local time zone. */
export function resolveSpan(asked: AskedSpan, context: SpanContext): Span {
  const { now } = context;
  if (asked.name === 'part') return { from: asked.from, to: asked.to };
  if (asked.name === 'all') return allReadings(context);
  if (!isLastDays(asked))
    return unitAround(asked.name, asked.date === null ? new Date(now) : dayOf(asked.date));
  const to = asked.to ?? nextMultiple(now, LAST_DAYS_STEP_MS[asked.name]);
  return { from: daysLater(to, -LAST_DAYS[asked.name]), to };
}

/** Returns the same local time some days later. The difference is an hour more or less if the clocks change. */
function daysLater(ms: number, days: number): number {
  const time = new Date(ms);
  return time.setDate(time.getDate() + days);
}

const nextMultiple = (ms: number, unit: number): number => (Math.floor(ms / unit) + 1) * unit;

/** The end of all readings moves in steps of this share of the span, which are narrower than two pixels of a chart. */
const ALL_GROWTH = 1 / 1024;
const LEAST_GROWTH_MS = 5000;

/** The shortest span that a chart shows, for example for a single reading. */
export const SHORTEST_MS = 10_000;

/** Moves the end in steps, so that the chart doesn't change with every reading. */
function allReadings({ now, first, last }: SpanContext): Span {
  const from = first ?? startOf('day', new Date(now));
  const end = Math.max(last ?? now, from);
  const growth = Math.max(LEAST_GROWTH_MS, 2 ** Math.ceil(Math.log2((end - from) * ALL_GROWTH)));
  const grown = from + nextMultiple(end - from, growth);
  return { from, to: Math.max(from + SHORTEST_MS, grown > now ? grown : nextMultiple(end, 1000)) };
}

/** Returns the day, week, month or year that contains a local time. A day on which the clocks change has 23 or 25 hours. */
export function unitAround(unit: CalendarUnit, time: Date): Span {
  const from = new Date(startOf(unit, time));
  const [year, month, day] = [from.getFullYear(), from.getMonth(), from.getDate()];
  const next = {
    day: new Date(year, month, day + 1),
    week: new Date(year, month, day + 7),
    month: new Date(year, month + 1, 1),
    year: new Date(year + 1, 0, 1),
  };
  return { from: from.getTime(), to: next[unit].getTime() };
}

function startOf(unit: CalendarUnit, time: Date): number {
  const [year, month, day] = [time.getFullYear(), time.getMonth(), time.getDate()];
  const start = {
    day: new Date(year, month, day),
    week: new Date(year, month, day - ((time.getDay() + 6) % 7)),
    month: new Date(year, month, 1),
    year: new Date(year, 0, 1),
  };
  return start[unit].getTime();
}

/** Parses a day such as `2026-11-21`, and returns its start in the local time zone. */
function dayOf(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** Formats the local day of a time as `2026-11-21`. */
export function dateOf(ms: number): string {
  const time = new Date(ms);
  const parts = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return [time.getFullYear(), ...parts].join('-');
}

export function isSameSpan(a: Span, b: Span): boolean {
  return a.from === b.from && a.to === b.to;
}

export function isWithin(ms: number, { from, to }: Span): boolean {
  return from <= ms && ms < to;
}

/** Returns the span of the same kind right before or after a span. Returns the span of all readings unchanged. */
export function neighbourOf(
  asked: AskedSpan,
  direction: 'earlier' | 'later',
  context: SpanContext,
): AskedSpan {
  const { from, to } = resolveSpan(asked, context);
  const { now } = context;
  if (asked.name === 'all') return asked;
  if (asked.name === 'part') {
    const ms = direction === 'later' ? to - from : from - to;
    return { name: 'part', from: from + ms, to: to + ms };
  }
  if (isLastDays(asked)) return lastDaysBeside(asked.name, direction, { from, to }, now);
  // Calendar days may be missing (Samoa had no 30 December 2011), so start from the span's end rather than add a day.
  const start = direction === 'later' ? to : startOf(asked.name, new Date(from - 1));
  return { name: asked.name, date: dateOf(start) };
}

/** Returns the same number of days before or after the last days. Omits `to` if they end about now. */
function lastDaysBeside(
  name: keyof typeof LAST_DAYS,
  direction: 'earlier' | 'later',
  { from, to }: Span,
  now: number,
): AskedSpan {
  const end = direction === 'later' ? daysLater(to, LAST_DAYS[name]) : from;
  return end > now - LAST_DAYS_STEP_MS[name] ? { name, date: null } : { name, date: null, to: end };
}

/**
 * Returns the span of the same kind that contains the present. A zoomed part keeps its length, and a quarter of it lies
 * after now.
 */
export function presentOf(asked: AskedSpan, now: number): AskedSpan {
  if (asked.name === 'all') return asked;
  if (asked.name !== 'part') return { name: asked.name, date: null };
  const ms = asked.to - asked.from;
  const to = now + ms / 4;
  return { name: 'part', from: to - ms, to };
}

/** Returns the day, week, month or year at a span's date, end or middle, or the present one if the span contains now. */
export function asUnit(asked: AskedSpan, name: CalendarUnit, now: number): AskedSpan {
  if (asked.name === 'all') return { name, date: null };
  if (asked.name !== 'part') {
    if (asked.to === undefined) return { name, date: asked.date };
    return name === 'day' ? { name, date: dateOf(asked.to - 1) } : { name, date: null, to: asked.to };
  }
  return { name, date: isWithin(now, asked) ? null : dateOf((asked.from + asked.to) / 2) };
}

/** Returns how far back a comparison goes: a day, week, month or year. Null for all readings. */
export function comparedUnit(asked: AskedSpan): CalendarUnit | null {
  if (asked.name === 'all') return null;
  if (asked.name !== 'part') return asked.name;
  const ms = asked.to - asked.from - HOUR_MS;
  if (ms <= DAY_MS) return 'day';
  if (ms <= 7 * DAY_MS) return 'week';
  return ms <= 31 * DAY_MS ? 'month' : 'year';
}

/** The parts of a span that can't have readings. Each is null if the span has no such part. */
export interface Outside {
  /** From the start of the span to the first reading. */
  before: Span | null;
  /** From now to the end of the span. */
  toCome: Span | null;
}

/** Returns the parts of a span before the first reading and in the future. */
export function outsideOf({ from, to }: Span, { now, first }: SpanLimits): Outside {
  const isBefore = first !== null && first > from;
  return {
    before: isBefore ? { from, to: Math.min(first, to) } : null,
    toCome: now < to ? { from: Math.max(now, from), to } : null,
  };
}

/** Returns the reason why a span can't have readings: it lies in the future or before the first one. Null if it can. */
export function whyEmpty({ from, to }: Span, { now, first }: SpanLimits): 'future' | 'before' | null {
  if (from > now) return 'future';
  return first !== null && to <= first ? 'before' : null;
}
