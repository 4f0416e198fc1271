import { describe, expect, test } from 'vitest';
import type { HistoryAnswer, LevelAnswer } from '../../../app/readings/history/history-answer';
import { stepFor } from '../../../app/readings/history/history-step';
import { historyPoints } from '../../../app/ui/chart/history-points';
import { keepTimeZone, setTimeZone } from '../../support/time-zone';

keepTimeZone();

const START = Date.parse('2026-11-21T12:00:00Z');
const LATER = START + 1e9;

const metric = (average: number): LevelAnswer => ({
  lowest: average - 1,
  average,
  highest: average + 1,
  good_seconds: 0,
  moderate_seconds: 0,
  poor_seconds: 0,
});

/** An answer with this many readings in each of these steps, counted from `START`. */
function answer(step_seconds: number, readings: Record<number, number>): HistoryAnswer {
  const steps = Object.entries(readings).map(([step, count]) => ({
    start: new Date(START + Number(step) * step_seconds * 1000).toISOString(),
    readings: count,
    co2: metric(500),
    voc: null,
  }));
  return { step_seconds, steps };
}

/** Steps with this many readings each; missing ones are omitted. */
const steps = (count: number, readings: number, ...missing: number[]) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [i, readings]).filter(([i]) => !missing.includes(i as number)),
  );

const secondsOf = ({ gaps }: ReturnType<typeof historyPoints>) =>
  gaps.map(({ start, end }) => [(start - START) / 1000, (end - START) / 1000]);

test('places a point in the middle of its step, and a single reading of seconds at its start', () => {
  const many = historyPoints(answer(300, { 0: 20, 1: 1 }), { now: LATER });
  expect(many.positions).toEqual([START + 150_000, START + 450_000]);
  expect(many.points[0]).toMatchObject({
    from: '2026-11-21T12:00:00.000Z',
    to: '2026-11-21T12:05:00.000Z',
    readings: 20,
    co2: { lowest: 499, average: 500, highest: 501 },
    voc: null,
    gapBefore: null,
  });
  const single = historyPoints(answer(1, { 0: 1, 3: 2 }), { now: LATER });
  expect(single.positions).toEqual([START, START + 3500]);
  expect(single.points[0]?.to).toBe(single.points[0]?.from);
  // The exact second within these five is unknown.
  const within = historyPoints(answer(5, { 0: 1 }), { now: LATER });
  expect(within.positions).toEqual([START + 2500]);
  expect(within.points[0]?.to).toBe('2026-11-21T12:00:05.000Z');
});

test('ends the current step at the present', () => {
  const { points, positions } = historyPoints(answer(86_400, { 0: 900 }), { now: START + 7_200_000 });
  expect(positions).toEqual([START + 3_600_000]);
  expect(points[0]?.to).toBe('2026-11-21T14:00:00.000Z');
});

test('one empty step between steps of three or more readings is a gap of that step', () => {
  const history = historyPoints(answer(300, steps(9, 3, 4)), { now: LATER });
  expect(secondsOf(history)).toEqual([[1200, 1500]]);
  expect(history.points.map(({ gapBefore }) => gapBefore !== null)).toEqual([
    false,
    false,
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
  expect(history.points[4]?.gapBefore).toEqual({
    from: '2026-11-21T12:20:00.000Z',
    to: '2026-11-21T12:25:00.000Z',
    withinMs: 300_000,
  });
});

test('a gap is exact only between single readings of seconds, the first reading, and now', () => {
  const span = { from: START - 3_600_000, to: START + 86_400_000 };
  const boundsOf = (
    steps: HistoryAnswer,
    { now = LATER, first, answered }: { now?: number; first?: number; answered?: typeof span } = {},
  ) => historyPoints(steps, { now, first: first ?? null, answered }).gaps.map(({ gap }) => gap.withinMs);
  const second = { ...steps(9, 1), ...Object.fromEntries([100, 101, 102, 103].map((i) => [i, 1])) };
  expect(boundsOf(answer(1, second))).toEqual([undefined]);
  expect(boundsOf(answer(1, { ...second, 8: 2 }))).toEqual([1000]);
  expect(boundsOf(answer(1, { ...second, 100: 2 }))).toEqual([1000]);
  expect(boundsOf(answer(300, {}), { now: START, first: START - 60_000, answered: span })).toEqual([
    undefined,
  ]);
  expect(boundsOf(answer(300, {}), { now: START, answered: span })).toEqual([300_000]);
  expect(boundsOf(answer(300, {}), { first: START, answered: span })).toEqual([300_000]);
});

test('an empty step is not a gap next to a step with few readings, or between hourly readings', () => {
  expect(secondsOf(historyPoints(answer(300, { ...steps(9, 3, 4), 5: 2 }), { now: LATER }))).toEqual([]);
  const hourly = (...missing: number[]) =>
    Object.fromEntries(
      Array.from({ length: 24 }, (_, hour) => [hour * 12, 1]).filter(([step = 0]) => !missing.includes(step)),
    );
  expect(secondsOf(historyPoints(answer(300, hourly()), { now: LATER }))).toEqual([]);
  expect(secondsOf(historyPoints(answer(300, hourly(120, 132, 144)), { now: LATER }))).toEqual([
    [108 * 300 + 300, 156 * 300],
  ]);
});

test('missing readings at the ends of the answer are gaps, up to now', () => {
  const span = { from: START - 3_600_000, to: START + 86_400_000 };
  const now = START + 9000_000;
  const history = historyPoints(answer(300, steps(9, 20)), { now, answered: span });
  expect(secondsOf(history)).toEqual([
    [-3600, 0],
    [2700, 9000],
  ]);
  expect(history.points.every(({ gapBefore }) => gapBefore === null)).toBe(true);
  // Neither the two cut steps nor the current one are gaps.
  const whole = { from: START + 100_000, to: START + 2_600_000 };
  expect(secondsOf(historyPoints(answer(300, steps(9, 20)), { now: LATER, answered: whole }))).toEqual([]);
});

test('next to a single step, a gap starts after 65 minutes, as in the numbers below the chart', () => {
  const span = { from: START - 3_600_000, to: START + 10_000_000 };
  const gapsOf = (to: number, from = span.from) =>
    secondsOf(historyPoints(answer(300, { 0: 1 }), { now: LATER, answered: { from, to } }));
  expect(gapsOf(span.to)).toEqual([[300, 10_000]]);
  expect(gapsOf(START + 4_200_000)).toEqual([]);
  expect(gapsOf(START + 300_000, START - 4_000_000)).toEqual([[-4000, 0]]);
});

test('between and next to two steps, a gap starts after 65 minutes, as in the numbers below the chart', () => {
  const gapsOf = (between: number) => {
    const answered = { from: START - 10_000_000, to: START + 86_400_000 };
    return secondsOf(historyPoints(answer(300, { 0: 1, [between]: 1 }), { now: LATER, answered }));
  };
  expect(gapsOf(72)).toEqual([
    [-10_000, 0],
    [300, 21_600],
    [21_900, 86_400],
  ]);
  expect(gapsOf(14)).toEqual([
    [-10_000, 0],
    [4500, 86_400],
  ]);
});

test('a span without readings is one gap, up to now', () => {
  const empty = answer(300, {});
  expect(historyPoints(empty, { now: LATER })).toEqual({ points: [], positions: [], gaps: [] });
  expect(
    secondsOf(historyPoints(empty, { now: LATER, answered: { from: START, to: START + 60_000 } })),
  ).toEqual([[0, 60]]);
  expect(
    secondsOf(historyPoints(empty, { now: START + 30_000, answered: { from: START, to: START + 60_000 } })),
  ).toEqual([[0, 30]]);
  expect(
    historyPoints(empty, { now: START - 1, answered: { from: START, to: START + 60_000 } }).gaps,
  ).toEqual([]);
});

test('the first step starts at the first reading, with no gap before it', () => {
  const span = { from: START - 86_400_000, to: START + 86_400_000 };
  const now = START + 3 * 3_600_000;
  const of = (first: number) => historyPoints(answer(3600, steps(3, 20)), { now, first, answered: span });
  expect(secondsOf(of(START + 1_800_000))).toEqual([]);
  expect(of(START + 1_800_000).positions[0]).toBe(START + 2_700_000);
  expect(of(START + 1_800_000).points[0]?.from).toBe('2026-11-21T12:30:00.000Z');
  // A gap from the first reading to the next.
  expect(secondsOf(of(START - 7_200_000))).toEqual([[-7200, 0]]);
  expect(
    secondsOf(historyPoints(answer(3600, {}), { now, first: START + 7_200_000, answered: span })),
  ).toEqual([[7200, 10_800]]);
  expect(historyPoints(answer(3600, {}), { now, first: span.to, answered: span }).gaps).toEqual([]);
});

describe('a year on a phone', () => {
  const DAY_MS = 86_400_000;
  const year = { from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2027-01-01T00:00:00Z') };
  const step = stepFor(year.from / 1000, year.to / 1000, 375) ?? 0;
  const dayOf = (time: number) => (time - year.from) / DAY_MS;
  /** The gaps of a year, in days since its start. `counts` gives the readings on some of its days. */
  const gapsOf = (readings: Record<number, number>, first: number) => {
    const steps = Object.entries(readings).map(([day, count]) => ({
      start: new Date(year.from + Number(day) * DAY_MS).toISOString(),
      readings: count,
      co2: metric(500),
      voc: null,
    }));
    const times = { now: year.to + DAY_MS, first, answered: year };
    return historyPoints({ step_seconds: step, steps }, times).gaps.map(({ start, end }) => [
      dayOf(start),
      dayOf(end),
    ]);
  };

  test('has a gap if readings are missing for a week', () => {
    const outage = [100, 101, 102, 103, 104, 105, 106];
    expect(gapsOf(steps(365, 5760, ...outage), year.from)).toEqual([[100, 107]]);
  });

  test('has gaps between and after two single readings a month apart', () => {
    const dense = Object.fromEntries(Array.from({ length: 134 }, (_, i) => [231 + i, 5760]));
    expect(gapsOf({ 1: 1, 30: 1, ...dense }, year.from + DAY_MS)).toEqual([
      [2, 30],
      [31, 231],
    ]);
  });
});

test('a step of one day ends at the next midnight, even across a clock change', () => {
  setTimeZone('Europe/Berlin');
  const midnights = ['2026-03-27T23:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'];
  const steps = midnights.map((start) => ({ start, readings: 90, co2: metric(500), voc: null }));
  const { points, gaps } = historyPoints({ step_seconds: 86_400, steps }, { now: LATER });
  expect(points.map(({ to }) => to)).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
    '2026-03-30T22:00:00.000Z',
  ]);
  expect(gaps).toEqual([]);
});
