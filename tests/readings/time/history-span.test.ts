import { afterEach, describe, expect, test } from 'vitest';
import {
  type AskedSpan,
  asUnit,
  comparedUnit,
  dateOf,
  neighbourOf,
  openingSpan,
  presentOf,
  resolveSpan,
  type SpanContext,
  unitAround,
  whyEmpty,
} from '../../../app/readings/time/history-span';

const zone = process.env.TZ;

afterEach(() => {
  process.env.TZ = zone;
  if (zone === undefined) delete process.env.TZ;
});

const HOUR_MS = 3_600_000;
const at = (time: string) => Date.parse(time);
const context: SpanContext = {
  now: at('2026-11-21T12:34:56.789Z'),
  first: at('2024-03-03T10:15:00Z'),
  last: at('2026-11-21T12:34:50Z'),
};

/** Returns the local dates of a requested span, and its hours. */
function resolved(asked: AskedSpan, known = context): [from: string, to: string, hours: number] {
  const { from, to } = resolveSpan(asked, known);
  return [
    new Date(from).toString().slice(4, 21),
    new Date(to).toString().slice(4, 21),
    (to - from) / HOUR_MS,
  ];
}

test.each([
  ['day', 'Nov 21 2026 00:00', 'Nov 22 2026 00:00'],
  ['week', 'Nov 16 2026 00:00', 'Nov 23 2026 00:00'],
  ['month', 'Nov 01 2026 00:00', 'Dec 01 2026 00:00'],
  ['year', 'Jan 01 2026 00:00', 'Jan 01 2027 00:00'],
] as const)('a %s with a date follows the calendar', (name, from, to) => {
  process.env.TZ = 'Europe/Berlin';
  expect(resolved({ name, date: '2026-11-21' }).slice(0, 2)).toEqual([from, to]);
});

describe('without a date', () => {
  test.each([
    ['week', 'Nov 14 2026 13:45', 'Nov 21 2026 13:45'],
    ['month', 'Oct 22 2026 14:00', 'Nov 21 2026 14:00'],
    ['year', 'Nov 22 2025 01:00', 'Nov 22 2026 01:00'],
  ] as const)('a %s is the last 7, 30 or 365 days, and ends a little after now', (name, from, to) => {
    process.env.TZ = 'Europe/Berlin';
    expect(resolved({ name, date: null }).slice(0, 2)).toEqual([from, to]);
    const span = resolveSpan({ name, date: null }, context);
    expect((span.to - context.now) / (span.to - span.from)).toBeLessThan(1 / 512);
  });

  test('days keep their clock time across a clock change', () => {
    process.env.TZ = 'Europe/Berlin';
    const end = at('2026-10-28T10:00:00Z');
    expect(resolved({ name: 'week', date: null, to: end })).toEqual([
      'Oct 21 2026 11:00',
      'Oct 28 2026 11:00',
      169,
    ]);
  });

  test('earlier and later move by as many days, and later returns to now', () => {
    process.env.TZ = 'Europe/Berlin';
    const now: AskedSpan = { name: 'month', date: null };
    const { from } = resolveSpan(now, context);
    const before = neighbourOf(now, 'earlier', context);
    expect(before).toEqual({ name: 'month', date: null, to: from });
    expect(neighbourOf(before, 'later', context)).toEqual(now);
    const twice = neighbourOf(before, 'earlier', context);
    expect(neighbourOf(twice, 'later', context)).toEqual(before);
  });

  test('another unit keeps the end of the span', () => {
    const asked: AskedSpan = { name: 'week', date: null, to: at('2026-11-10T00:00:00Z') };
    expect(asUnit(asked, 'month', context.now)).toEqual({ ...asked, name: 'month' });
    process.env.TZ = 'UTC';
    expect(asUnit(asked, 'day', context.now)).toEqual({ name: 'day', date: '2026-11-09' });
  });
});

test('a page opens at today, or at the day of the newest reading if that is earlier', () => {
  process.env.TZ = 'Europe/Berlin';
  expect(openingSpan(context)).toEqual({ name: 'day', date: null });
  expect(openingSpan({ ...context, last: null })).toEqual({ name: 'day', date: null });
  expect(openingSpan({ ...context, last: at('2026-11-20T23:00:00Z') })).toEqual({ name: 'day', date: null });
  expect(openingSpan({ ...context, last: at('2018-07-06T21:59:59Z') })).toEqual({
    name: 'day',
    date: '2018-07-06',
  });
});

test('the present is on the local day', () => {
  const late = { ...context, now: at('2026-11-21T12:00:00Z') };
  process.env.TZ = 'Pacific/Kiritimati';
  expect(resolved({ name: 'day', date: null }, late)[0]).toBe('Nov 22 2026 00:00');
});

describe('a week', () => {
  test.each([
    ['2026-11-22', 'Nov 16 2026 00:00'],
    ['2026-11-23', 'Nov 23 2026 00:00'],
    ['2027-01-01', 'Dec 28 2026 00:00'],
  ])('with %s starts on Monday, %s', (date, from) => {
    process.env.TZ = 'America/St_Johns';
    expect(resolved({ name: 'week', date })[0]).toBe(from);
  });
});

describe('days with a clock change', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/St_Johns', '2026-03-08', 23],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    // Midnight is skipped, so the day starts at 1:00.
    ['Africa/Cairo', '2026-04-24', 23],
    ['Asia/Kathmandu', '2026-03-29', 24],
  ])('in %s, %s has %d hours', (timeZone, date, hours) => {
    process.env.TZ = timeZone;
    expect(resolved({ name: 'day', date })[2]).toBe(hours);
    const before = resolveSpan(neighbourOf({ name: 'day', date }, 'earlier', context), context);
    expect(before.to).toBe(resolveSpan({ name: 'day', date }, context).from);
  });
});

describe('all readings', () => {
  const all: AskedSpan = { name: 'all' };

  test('begin at the first one and end shortly after now while readings arrive', () => {
    const { from, to } = resolveSpan(all, context);
    expect(from).toBe(context.first);
    expect(to).toBeGreaterThan(context.now);
    expect((to - context.now) / (to - from)).toBeLessThan(1 / 512);
  });

  test('end at the same time for a while', () => {
    const { to } = resolveSpan(all, context);
    expect(resolveSpan(all, { ...context, now: to - 1, last: to - 1 }).to).toBe(to);
    expect(resolveSpan(all, { ...context, now: to, last: to }).to).toBeGreaterThan(to);
  });

  test('end at the newest one if none has arrived for long', () => {
    const last = at('2025-07-06T10:00:00.500Z');
    expect(resolveSpan(all, { ...context, last }).to).toBe(last + 500);
  });

  test('last at least ten seconds', () => {
    const { from, to } = resolveSpan(all, { now: context.now, first: context.now, last: context.now });
    expect(to - from).toBe(10_000);
  });

  test('have no neighbours and no comparison', () => {
    expect(neighbourOf(all, 'earlier', context)).toBe(all);
    expect(comparedUnit(all)).toBeNull();
  });
});

describe('earlier and later', () => {
  test.each([
    ['day', '2026-03-01', '2026-02-28', '2026-03-02'],
    ['week', '2026-11-21', '2026-11-09', '2026-11-23'],
    ['month', '2026-03-31', '2026-02-01', '2026-04-01'],
    ['year', '2026-11-21', '2025-01-01', '2027-01-01'],
  ] as const)('lead from a %s with %s to %s and %s', (name, date, earlier, later) => {
    process.env.TZ = 'Europe/Berlin';
    expect(neighbourOf({ name, date }, 'earlier', context)).toEqual({ name, date: earlier });
    expect(neighbourOf({ name, date }, 'later', context)).toEqual({ name, date: later });
  });

  test('skip a day that the calendar of a place lacks', () => {
    process.env.TZ = 'Pacific/Apia';
    const day: AskedSpan = { name: 'day', date: '2011-12-31' };
    expect(neighbourOf(day, 'earlier', context)).toEqual({ name: 'day', date: '2011-12-29' });
    expect(neighbourOf({ name: 'day', date: '2011-12-29' }, 'later', context)).toEqual(day);
  });

  test('move a custom span by its length', () => {
    const part: AskedSpan = { name: 'part', from: 1000, to: 4000 };
    expect(neighbourOf(part, 'later', context)).toEqual({ name: 'part', from: 4000, to: 7000 });
    expect(neighbourOf(part, 'earlier', context)).toEqual({ name: 'part', from: -2000, to: 1000 });
  });
});

test('the present of a custom span has its length and some room for new readings', () => {
  const present = presentOf({ name: 'part', from: 0, to: 4 * HOUR_MS }, context.now);
  expect(present).toEqual({ name: 'part', from: context.now - 3 * HOUR_MS, to: context.now + HOUR_MS });
});

describe('choosing a unit', () => {
  test('keeps the date, so Week and then Day return', () => {
    expect(asUnit({ name: 'week', date: '2026-11-21' }, 'day', context.now)).toEqual({
      name: 'day',
      date: '2026-11-21',
    });
  });

  test('shows the day in the middle of a custom span, or today if it is in view', () => {
    process.env.TZ = 'UTC';
    const part = { name: 'part', from: at('2026-11-18T23:00:00Z'), to: at('2026-11-20T00:00:00Z') } as const;
    expect(asUnit(part, 'day', context.now)).toEqual({ name: 'day', date: '2026-11-19' });
    expect(asUnit({ ...part, to: context.now + 1 }, 'day', context.now)).toEqual({ name: 'day', date: null });
  });
});

describe('a comparison', () => {
  const part = (hours: number): AskedSpan => ({ name: 'part', from: 0, to: hours * HOUR_MS });

  test.each([
    [25, 'day'],
    [25.1, 'week'],
    [169, 'week'],
    [170, 'month'],
    [745, 'month'],
    [746, 'year'],
  ])('of %d hours uses the %s before', (hours, unit) => {
    expect(comparedUnit(part(hours))).toBe(unit);
  });
});

test('explains why a span has no readings', () => {
  const { now, first } = context as { now: number; first: number };
  expect(whyEmpty({ from: now + 1, to: now + 2 }, context)).toBe('future');
  expect(whyEmpty({ from: first - 2, to: first }, context)).toBe('before');
  expect(whyEmpty({ from: first - 2, to: first + 1 }, context)).toBeNull();
  expect(whyEmpty({ from: now, to: now + 2 }, context)).toBeNull();
});

test('the date of a time is the local day', () => {
  process.env.TZ = 'Asia/Kathmandu';
  expect(dateOf(at('2026-01-01T18:14:59Z'))).toBe('2026-01-01');
  expect(dateOf(at('2026-01-01T18:15:00Z'))).toBe('2026-01-02');
  expect(unitAround('day', new Date('2026-01-01T18:15:00Z')).from).toBe(at('2026-01-01T18:15:00Z'));
});
