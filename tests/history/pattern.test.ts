import { expect, test } from 'vitest';
import { computePattern } from '../../app/history/pattern.server';
import type { PatternAnswer } from '../../app/readings/history/history-answer';
import { LEVELS, type Level } from '../../app/readings/level/level';
import type { MetricField } from '../../app/readings/metric';
import { compareReadings, type Reading } from '../../app/readings/reading';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { historyStore, randomHistory, rollUpReadings } from '../support/history/roll-up-readings';
import { reading, THRESHOLDS } from '../support/readings/readings';

const SEED = 20260102;
const SLOT = 300;
const DAY = 86_400;

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const slotOf = ({ created_at }: Reading) => Math.floor(Date.parse(created_at) / 300_000) * SLOT;

/** The names that a zone's clocks give to a slot. */
interface Names {
  hour: string;
  day: string;
  hourOfDay: number;
}

/** Returns a function that names slots by the calendar of `Intl`, without computing an offset. */
function namer(timeZone: string): (slot: number) => Names {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    timeZoneName: 'shortOffset',
  });
  const known = new Map<number, Names>();
  return (slot) => {
    const text = known.get(slot) ? '' : format.format(slot * 1000);
    const [, day = '', hour = ''] = /^(.*), (\d\d)/.exec(text) ?? [];
    const names = known.get(slot) ?? { hour: text, day, hourOfDay: Number(hour) };
    known.set(slot, names);
    return names;
  };
}

/** `Map.groupBy`, which Node 20 lacks. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Returns the pattern, computed slot by slot. */
function expectedPattern(
  readings: readonly Reading[],
  zone: string,
  by: 'hour' | 'day',
  [from, to]: readonly [number, number],
): PatternAnswer {
  const namesOf = namer(zone);
  const isSame = (a: number, b: number) => namesOf(a)[by] === namesOf(b)[by];
  const first = Math.floor(from / SLOT) * SLOT;
  const last = Math.floor((to - 1) / SLOT) * SLOT;
  let [begin, end] = [first, last + SLOT];
  while (isSame(begin - SLOT, first)) begin -= SLOT;
  while (isSame(end, last)) end += SLOT;
  const slots = rollUpReadings(readings, { step: SLOT }, THRESHOLDS);
  const inside = readings.filter((reading) => begin <= slotOf(reading) && slotOf(reading) < end);

  const secondsOf = (slotsInside: ReadonlySet<number>, field: MetricField, level: Level) =>
    slots.reduce((sum, s) => sum + (slotsInside.has(s.start) ? (s[field]?.seconds[level] ?? 0) : 0), 0);

  function metricOf(slotsInside: ReadonlySet<number>, own: readonly Reading[], field: MetricField) {
    const values = own.flatMap((reading) => reading[field] ?? []);
    if (values.length === 0) return null;
    const seconds = (level: Level) => secondsOf(slotsInside, field, level);
    return {
      lowest: Math.min(...values),
      average: expect.closeTo(values.reduce((sum, value) => sum + value, 0) / values.length, 7),
      highest: Math.max(...values),
      good_seconds: seconds('good'),
      moderate_seconds: seconds('moderate'),
      poor_seconds: seconds('poor'),
    };
  }

  const cells = groupBy(inside, (reading) => namesOf(slotOf(reading))[by]);
  const byHour = groupBy(inside, (reading) => {
    const { day, hourOfDay } = namesOf(slotOf(reading));
    return `${day} ${hourOfDay}`;
  });

  function quartilesAt(hour: number, field: MetricField) {
    const days = [...byHour].filter(([name]) => Number(name.split(' ').at(-1)) === hour);
    const slotsInside = new Set(days.flatMap(([, own]) => own.map(slotOf)));
    const averages = days
      .map(([, own]) => own.flatMap((reading) => reading[field] ?? []))
      .filter((values) => values.length > 0)
      .map((values) => values.reduce((sum, value) => sum + value, 0) / values.length)
      .sort((a, b) => a - b);
    if (averages.length === 0) return null;
    const at = (share: number) => {
      const position = share * (averages.length - 1);
      const below = averages[Math.floor(position)] as number;
      const above = averages[Math.ceil(position)] as number;
      return expect.closeTo(below + (above - below) * (position % 1), 7);
    };
    const measured_seconds = LEVELS.reduce((sum, level) => sum + secondsOf(slotsInside, field, level), 0);
    return { lower: at(0.25), median: at(0.5), upper: at(0.75), days: averages.length, measured_seconds };
  }

  return {
    cells: [...cells.values()].map((own) => {
      let start = slotOf(own[0] as Reading);
      while (isSame(start - SLOT, start)) start -= SLOT;
      const slotsInside = new Set(own.map(slotOf));
      return {
        start: iso(start),
        co2: metricOf(slotsInside, own, 'co2'),
        voc: metricOf(slotsInside, own, 'voc'),
      };
    }),
    typical_day: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      co2: quartilesAt(hour, 'co2'),
      voc: quartilesAt(hour, 'voc'),
    })).filter(({ co2, voc }) => co2 || voc),
  };
}

test.each([
  ['UTC', '2026-01-02', 'without a change'],
  ['Europe/Berlin', '2026-03-25', 'with a day of 23 hours'],
  ['Europe/Berlin', '2026-10-21', 'with a day of 25 hours'],
  ['America/New_York', '2026-10-28', 'west of Greenwich'],
  ['America/St_Johns', '2026-03-04', 'half an hour off, with a day of 23 hours'],
  ['Asia/Kathmandu', '2026-03-04', 'three quarters of an hour off'],
  ['Australia/Lord_Howe', '2026-04-01', 'with a day that is half an hour longer'],
  ['Australia/Lord_Howe', '2026-09-30', 'with a day that is half an hour shorter'],
  ['Pacific/Chatham', '2026-09-23', 'with a clock change within an hour'],
  ['Pacific/Chatham', '2026-04-01', 'with a clock change back within an hour'],
  ['America/Sao_Paulo', '2018-10-31', 'with a day that starts at 1:00'],
  ['America/Sao_Paulo', '2018-02-14', 'with a day that repeats its last hour'],
  ['Pacific/Apia', '2011-12-26', 'without 30 December'],
  ['Africa/Casablanca', '2026-02-11', 'in Ramadan'],
])('the hours and days of %s from %s, %s, have the readings of their slots', async (zone, date, _) => {
  const random = seededRandom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const start = Date.parse(date) / 1000;
  // The clocks change on days without a gap.
  const regular = Array.from({ length: 3 * 96 }, (_, i) =>
    reading(i, { created_at: iso(start + 3 * DAY + i * 900) }),
  );
  const readings = [...randomHistory(random, start, 9 * DAY, 2500), ...regular].sort(compareReadings);
  const store = historyStore(readings);
  const check = async (by: 'hour' | 'day', from: number, to: number) => {
    const span = { from: iso(from), to: iso(to) };
    const pattern = await computePattern(store, { sensor: '', from, to }, { zone, by }, THRESHOLDS);
    const value = pattern.ok ? pattern.value.answer : pattern;
    expect({ ...span, ...value }).toEqual({ ...span, ...expectedPattern(readings, zone, by, [from, to]) });
  };
  for (const by of ['hour', 'day'] as const) {
    await check(by, start, start + 9 * DAY);
    for (let i = 0; i < 4; i++) {
      const from = start + below(8 * DAY);
      await check(by, from, from + 1 + below(start + 9 * DAY - from));
    }
  }
});

test('refuses hours for a span of more than 40 days and an hour, but not days', async () => {
  const store = historyStore([reading(1, { created_at: iso(12 * 3600) })]);
  const patternIn = (by: 'hour' | 'day' | undefined, seconds: number) =>
    computePattern(store, { sensor: '', from: 0, to: seconds }, { zone: 'UTC', by }, THRESHOLDS);
  expect((await patternIn('hour', 40 * DAY + 3600)).ok).toBe(true);
  expect(await patternIn('hour', 40 * DAY + 3601)).toEqual({
    ok: false,
    errors: [{ field: 'by', detail: 'must be day for a span of more than 40 days' }],
  });
  expect((await patternIn('day', 4000 * DAY)).ok).toBe(true);
  for (const [seconds, start] of [
    [40 * DAY + 3600, iso(12 * 3600)],
    [40 * DAY + 3601, iso(0)],
  ] as const) {
    expect(await patternIn(undefined, seconds)).toMatchObject({ value: { answer: { cells: [{ start }] } } });
  }
});

test('an empty span has no cells', async () => {
  const span = { sensor: '', from: 1000, to: 1000 };
  const pattern = await computePattern(historyStore([]), span, { zone: 'Asia/Tokyo', by: 'day' }, THRESHOLDS);
  expect(pattern).toMatchObject({ ok: true, value: { answer: { cells: [], typical_day: [] } } });
});
