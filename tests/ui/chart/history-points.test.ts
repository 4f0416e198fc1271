import { describe, expect, test } from 'vitest';
import type { HistoryAnswer, LevelAnswer } from '../../../app/readings/history/history-answer';
import { stepFor } from '../../../app/readings/history/history-step';
import { slotOf, slotSeconds } from '../../../app/readings/roll-up/slot';
import { historyPoints } from '../../../app/ui/chart/history-points';
import { lineRuns } from '../../../app/ui/chart/line-runs';
import { reading } from '../../support/readings/readings';
import { keepTimeZone, setTimeZone } from '../../support/time-zone';

keepTimeZone();

const START = Date.parse('2026-11-21T12:00:00Z');
const LATER = START + 1e9;

const metric = (average: number, good_seconds = 0): LevelAnswer => ({
  lowest: average - 1,
  average,
  highest: average + 1,
  good_seconds,
  moderate_seconds: 0,
  poor_seconds: 0,
});

/** An answer with this many readings, at equal intervals, in each of these steps, counted from `START`. */
function answer(step_seconds: number, readings: Record<number, number>): HistoryAnswer {
  const times = Object.entries(readings).flatMap(([step, count]) =>
    Array.from({ length: count }, (_, i) => (Number(step) + i / count) * step_seconds),
  );
  return answerOf(
    step_seconds,
    times.map((time) => START / 1000 + time),
  );
}

/** The answer of the server for readings of CO2 at these times, in seconds since 1970. */
function answerOf(step_seconds: number, times: readonly number[]): HistoryAnswer {
  const slots = countedSlots(times);
  const inSteps = grouped(times, (time) => time - ((time - START / 1000) % step_seconds));
  const steps = [...inSteps].map(([start, readings]) => {
    const begun = slots.filter((slot) => readings.some((time) => time === slot.first));
    return {
      start: new Date(start * 1000).toISOString(),
      readings: readings.length,
      co2: metric(
        500,
        begun.reduce((sum, { seconds }) => sum + seconds, 0),
      ),
      voc: null,
    };
  });
  return { step_seconds, steps };
}

/** The slots of readings at these times, with the time of the first one, and the seconds counted for each slot. */
function countedSlots(times: readonly number[]) {
  const slots = [...grouped(times, slotOf)];
  return slots.map(([start, readings], i) => ({
    start,
    first: readings[0],
    seconds: slotSeconds(
      readings.length,
      start - (slots[i - 1]?.[0] ?? Number.NEGATIVE_INFINITY),
      (slots[i + 1]?.[0] ?? Number.POSITIVE_INFINITY) - start,
    ),
  }));
}

function grouped(times: readonly number[], keyOf: (time: number) => number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const time of times) groups.set(keyOf(time), [...(groups.get(keyOf(time)) ?? []), time]);
  return groups;
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

test('an empty step is not a gap after a step with few readings, or between hourly readings', () => {
  expect(secondsOf(historyPoints(answer(300, { ...steps(9, 3, 4), 3: 2 }), { now: LATER }))).toEqual([]);
  const hourly = (...missing: number[]) =>
    Object.fromEntries(
      Array.from({ length: 24 }, (_, hour) => [hour * 12, 1]).filter(([step = 0]) => !missing.includes(step)),
    );
  expect(secondsOf(historyPoints(answer(300, hourly()), { now: LATER }))).toEqual([]);
  expect(secondsOf(historyPoints(answer(300, hourly(120, 132, 144)), { now: LATER }))).toEqual([
    [108 * 300 + 300, 156 * 300],
  ]);
});

describe('the gaps between steps are the time that the numbers count as without readings', () => {
  const MINUTE = 60;
  const times = (...minutes: number[]) => minutes.map((minute) => START / 1000 + minute * MINUTE);
  const every = (minutes: number, from: number, to: number) =>
    Array.from({ length: (to - from) / minutes }, (_, i) => from + i * minutes);
  const gapsOf = (step: number, minutes: number[]) =>
    secondsOf(historyPoints(answerOf(step, times(...minutes)), { now: LATER })).map(([from = 0, to = 0]) => [
      from / MINUTE,
      to / MINUTE,
    ]);

  test('for a sensor that posts every ten minutes, with an outage', () => {
    const readings = [0, 10, 20, 60, 70];
    expect(gapsOf(120, readings)).toEqual([[22, 60]]);
    expect(gapsOf(300, readings)).toEqual([[25, 60]]);
    expect(gapsOf(600, readings)).toEqual([[30, 60]]);
    // All of an hour's readings are in steps that have some.
    expect(gapsOf(3600, readings)).toEqual([]);
    expect(gapsOf(3600, [0, 60, 70, 300, 310])).toEqual([[120, 300]]);
  });

  test('for a slow sensor, at any step', () => {
    const hourly = [12, 72, 132, 193, 252].map((minute) => minute + 0.5);
    for (const step of [1, 60, 300, 600, 900, 1800, 3600]) expect(gapsOf(step, hourly)).toEqual([]);
    expect(gapsOf(300, [...hourly, 400])).toEqual([[255, 400]]);
  });

  test('for intervals from seconds to hours', () => {
    let seed = 42;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    let time = START / 1000;
    const erratic = Array.from({ length: 120 }, () => {
      time += Math.ceil(10 ** (3.9 * random()));
      return time;
    });
    const counted = countedSlots(erratic);
    const uncounted = counted.flatMap(({ start, seconds }, i) => {
      const next = counted[i + 1]?.start ?? 0;
      return next > start + seconds ? [[start + seconds, next]] : [];
    });
    expect(uncounted.length).toBeGreaterThan(10);
    for (const step of [60, 300]) {
      const { gaps } = historyPoints(answerOf(step, erratic), { now: LATER });
      const hatched = gaps.map(({ start, end }) => [start / 1000, end / 1000] as const);
      const isIn = (from: number, to: number) => hatched.some(([start, end]) => start <= from && end >= to);
      for (const [from = 0, to = 0] of uncounted)
        expect([from, to, isIn(from, to)]).toEqual([from, to, true]);
      const others = hatched.filter(
        ([start, end]) => !uncounted.some(([from = 0, to = 0]) => start <= from && end >= to),
      );
      expect(others.filter(([start, end]) => end - start >= 600)).toEqual([]);
      if (step === 300) expect(hatched).toEqual(uncounted);
    }
  });

  test('a pause too short for slots goes by the usual interval, where the steps show it', () => {
    const minutely = [...every(1, 0, 13), ...every(1, 18, 40)];
    expect(gapsOf(30, minutely)).toEqual([[12.5, 18]]);
    expect(gapsOf(300, minutely)).toEqual([]);
  });

  test('a metric that pauses while others arrive has a break, and no gap', () => {
    const answer = answerOf(300, times(...every(1, 0, 60)));
    const paused = answer.steps.map((step, i) => ({ ...step, voc: i < 3 || i > 7 ? step.co2 : null }));
    const { points, gaps } = historyPoints({ ...answer, steps: paused }, { now: LATER });
    expect(gaps).toEqual([]);
    expect(lineRuns(points, 'voc')).toEqual([
      [0, 1, 2],
      [8, 9, 10, 11],
    ]);
    expect(lineRuns(points, 'co2')).toHaveLength(1);
  });
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

test('next to a single step, the numbers below the chart decide whether there is a gap', () => {
  const span = { from: START - 3_600_000, to: START + 10_000_000 };
  const gapsOf = (to: number, from = span.from, next: Record<number, number> = {}) => {
    const { step_seconds, steps } = answer(300, { 0: 1, ...next });
    const shown = { step_seconds, steps: steps.slice(0, 1) };
    return secondsOf(historyPoints(shown, { now: LATER, answered: { from, to } }));
  };
  expect(gapsOf(span.to)).toEqual([[300, 10_000]]);
  expect(gapsOf(START + 3_900_000)).toEqual([[300, 3900]]);
  expect(gapsOf(START + 3_900_000, span.from, { 13: 1 })).toEqual([]);
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
    [300, 4200],
    [4500, 86_400],
  ]);
  expect(gapsOf(13)).toEqual([
    [-10_000, 0],
    [4200, 86_400],
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

describe('with the newest reading', () => {
  const newestAt = (seconds: number, values: object = {}) =>
    reading(1, { co2: 700, voc: 90, created_at: new Date(START + seconds * 1000).toISOString(), ...values });
  const pointsWith = (newest: ReturnType<typeof newestAt>, readings = { 0: 3, 1: 3 }) => {
    const { points, positions } = historyPoints(answer(120, readings), { now: START + 200_000, newest });
    return points.map(({ co2, readings }, i) => [
      ((positions[i] ?? 0) - START) / 1000,
      co2?.average,
      readings,
    ]);
  };

  test('ends the line at its exact time and values, after the average of its step', () => {
    expect(pointsWith(newestAt(180))).toEqual([
      [60, 500, 3],
      [150, 500, 3],
      [180, 700, 1],
    ]);
  });

  test('replaces the point of a step that has no other reading', () => {
    expect(pointsWith(newestAt(180), { 0: 3, 1: 1 })).toEqual([
      [60, 500, 3],
      [180, 700, 1],
    ]);
  });

  test('shows it before the answer contains it, and not beside a newer answer', () => {
    expect(pointsWith(newestAt(180), { 0: 3 } as never)).toEqual([
      [60, 500, 3],
      [180, 700, 1],
    ]);
    expect(pointsWith(newestAt(60))).toEqual([
      [60, 500, 3],
      [160, 500, 3],
    ]);
  });

  test('draws no faulty value, and hatches the time after it if readings are missing', () => {
    const times = { now: START + 4000_000, newest: newestAt(1000, { co2: 65_535 }) };
    const found = historyPoints(answer(120, { 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1 }), {
      ...times,
      answered: { from: START, to: START + 8000_000 },
    });
    expect(found.points.at(-1)).toMatchObject({ co2: null, voc: { average: 90 } });
    expect(secondsOf(found)).toEqual([[1000, 4000]]);
  });
});
