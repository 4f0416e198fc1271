import { DAY_MS, HOUR_MS } from './durations';

/** A unit of the viewer's calendar. Weeks begin on Monday. */
export const CALENDAR_UNITS = ['day', 'week', 'month', 'year'] as const;
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** A time in milliseconds since 1970; `to` isn't a part of it. */
export interface Span {
  from: number;
  to: number;
}

/**
 * The span that an address asks for: one of the calendar, the last days, all readings, or one that the viewer has zoomed
 * to.
 */
export type AskedSpan =
  | {
      name: CalendarUnit;
      /** A day in the calendar's unit, as `2026-11-21`. Null for today, or for the last 7, 30 or 365 days. */
      date: string | null;
      /** When the last 7, 30 or 365 days end, in milliseconds since 1970. Left out, it is now. */
      to?: number;
    }
  | { name: 'all' }
  | ({ name: 'part' } & Span);

/** The viewer's clock, and when readings began. Times are milliseconds since 1970. */
export interface SpanLimits {
  now: number;
  /** The time of the first reading; null if there is none. */
  first: number | null;
}

/** What a span in the viewer's time zone depends on. */
export interface SpanContext extends SpanLimits {
  /** The time of the newest reading; null if there is none. */
  last: number | null;
}

/** How many days a week, a month and a year without a date have. */
export const LAST_DAYS = { week: 7, month: 30, year: 365 } as const;

/** Returns true for the last 7, 30 or 365 days, or those before them. */
export function isLastDays(
  asked: AskedSpan,
): asked is { name: keyof typeof LAST_DAYS; date: null; to?: number } {
  return asked.name in LAST_DAYS && 'date' in asked && asked.date === null;
}

/** Their end moves on in steps of this length, which are narrower than two pixels of a chart. */
const LAST_DAYS_STEP_MS = { week: 900_000, month: 3_600_000, year: 43_200_000 } as const;

/** Returns the span of an address that names none: today, or the day of the newest reading if that is before today. */
export function openingSpan({ now, last }: SpanContext): AskedSpan {
  const isToday = last === null || last >= startOf('day', new Date(now));
  return { name: 'day', date: isToday ? null : dateOf(last) };
}

/** Returns the time that a span covers in the local time zone. */
export function resolveSpan(asked: AskedSpan, context: SpanContext): Span {
  const { now } = context;
  if (asked.name === 'part') return { from: asked.from, to: asked.to };
  if (asked.name === 'all') return allReadings(context);
  if (!isLastDays(asked))
    return unitAround(asked.name, asked.date === null ? new Date(now) : dayOf(asked.date));
  const to = asked.to ?? nextMultiple(now, LAST_DAYS_STEP_MS[asked.name]);
  return { from: daysLater(to, -LAST_DAYS[asked.name]), to };
}

/** Returns the same local time some days later, which is an hour more or less where the clocks change. */
function daysLater(ms: number, days: number): number {
  const time = new Date(ms);
  return time.setDate(time.getDate() + days);
}

const nextMultiple = (ms: number, unit: number): number => (Math.floor(ms / unit) + 1) * unit;

/** How far the end of all readings moves at a time, as a share of their time. It is narrower than two pixels of a chart. */
const ALL_GROWTH = 1 / 1024;
const LEAST_GROWTH_MS = 5000;

/** The shortest time that is shown: that of single readings. */
export const SHORTEST_MS = 10_000;

/** While readings arrive, the end stays for a while, so that the chart doesn't shrink with each of them. */
function allReadings({ now, first, last }: SpanContext): Span {
  const from = first ?? startOf('day', new Date(now));
  const end = Math.max(last ?? now, from);
  const growth = Math.max(LEAST_GROWTH_MS, 2 ** Math.ceil(Math.log2((end - from) * ALL_GROWTH)));
  const grown = from + nextMultiple(end - from, growth);
  return { from, to: Math.max(from + SHORTEST_MS, grown > now ? grown : nextMultiple(end, 1000)) };
}

/** Returns the day, week, month or year that a local time lies in: 23 or 25 hours for a day whose clock changes. */
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

/** Returns the start of a day such as `2026-11-21` in the local time zone. */
function dayOf(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** Returns the local day of a time as `2026-11-21`. */
export function dateOf(ms: number): string {
  const time = new Date(ms);
  const parts = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return [time.getFullYear(), ...parts].join('-');
}

/** Returns true if two spans cover the same time. */
export function isSameSpan(a: Span, b: Span): boolean {
  return a.from === b.from && a.to === b.to;
}

/** Returns true if a time lies in a span. */
export function isWithin(ms: number, { from, to }: Span): boolean {
  return from <= ms && ms < to;
}

/** Returns the span before or after one, of the same kind. There is none for all readings. */
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
  // Not a day less or more: Samoa had no 30 December 2011.
  const start = direction === 'later' ? to : startOf(asked.name, new Date(from - 1));
  return { name: asked.name, date: dateOf(start) };
}

/** Returns the days before or after some last days. Those that end about now have no end of their own. */
function lastDaysBeside(
  name: keyof typeof LAST_DAYS,
  direction: 'earlier' | 'later',
  { from, to }: Span,
  now: number,
): AskedSpan {
  const end = direction === 'later' ? daysLater(to, LAST_DAYS[name]) : from;
  return end > now - LAST_DAYS_STEP_MS[name] ? { name, date: null } : { name, date: null, to: end };
}

/** Returns the span of the same kind that has the present. A part keeps its length, and room for what comes. */
export function presentOf(asked: AskedSpan, now: number): AskedSpan {
  if (asked.name === 'all') return asked;
  if (asked.name !== 'part') return { name: asked.name, date: null };
  const ms = asked.to - asked.from;
  const to = now + ms / 4;
  return { name: 'part', from: to - ms, to };
}

/** Returns the day, week, month or year for the time that a span shows: with its date or end, or the present one. */
export function asUnit(asked: AskedSpan, name: CalendarUnit, now: number): AskedSpan {
  if (asked.name === 'all') return { name, date: null };
  if (asked.name !== 'part') {
    if (asked.to === undefined) return { name, date: asked.date };
    return name === 'day' ? { name, date: dateOf(asked.to - 1) } : { name, date: null, to: asked.to };
  }
  return { name, date: isWithin(now, asked) ? null : dateOf((asked.from + asked.to) / 2) };
}

/** Returns what a span is compared with: the day, week, month or year before. Null for all readings. */
export function comparedUnit(asked: AskedSpan): CalendarUnit | null {
  if (asked.name === 'all') return null;
  if (asked.name !== 'part') return asked.name;
  const ms = asked.to - asked.from - HOUR_MS;
  if (ms <= DAY_MS) return 'day';
  if (ms <= 7 * DAY_MS) return 'week';
  return ms <= 31 * DAY_MS ? 'month' : 'year';
}

/** The parts of a span that can't have readings; null for one that it doesn't have. */
export interface Outside {
  /** From the start of the span to the first reading. */
  before: Span | null;
  /** From now to the end of the span. */
  toCome: Span | null;
}

/** Returns the parts of a span that lie before the first reading, and in the future. */
export function outsideOf({ from, to }: Span, { now, first }: SpanLimits): Outside {
  const isBefore = first !== null && first > from;
  return {
    before: isBefore ? { from, to: Math.min(first, to) } : null,
    toCome: now < to ? { from: Math.max(now, from), to } : null,
  };
}

/** Returns why a span can't have readings: it lies in the future, or before the first one. Null if it can. */
export function whyEmpty({ from, to }: Span, { now, first }: SpanLimits): 'future' | 'before' | null {
  if (from > now) return 'future';
  return first !== null && to <= first ? 'before' : null;
}
