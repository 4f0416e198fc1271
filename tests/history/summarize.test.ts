import { expect, test } from 'vitest';
import { summarize } from '../../app/history/summarize.server';
import type { MetricSummary } from '../../app/readings/history/history-answer';
import type { CoreField } from '../../app/readings/metric';
import type { Reading } from '../../app/readings/reading';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { historyStore, levelBySecond, NO_LEVEL, randomHistory } from '../support/history/roll-up-readings';
import { THRESHOLDS } from '../support/readings/readings';

const SEED = 20260102;
const DAY = 86_400;
const START = Date.parse('2026-01-02T10:00:00Z') / 1000;
const LENGTH = 40 * DAY;

const random = seededRandom(SEED);
const below = (limit: number) => Math.floor(random() * limit);
const readings = randomHistory(random, START, LENGTH, 6000);
const store = historyStore(readings);

/** Some spans reach beyond the readings. */
const [FIRST, LAST] = [START - 2 * DAY, START + LENGTH + 2 * DAY];
const levels = {
  co2: levelBySecond(readings, 'co2', FIRST, LAST),
  voc: levelBySecond(readings, 'voc', FIRST, LAST),
};

const seconds = new Map(readings.map((r) => [r, Math.floor(Date.parse(r.created_at) / 1000)]));
const secondOf = (reading: Reading) => seconds.get(reading) as number;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

const [GOOD, MODERATE, POOR] = [0, 1, 2];
/** A local copy, because an imported binding makes a loop over millions of seconds several times slower. */
const NONE = NO_LEVEL;

/** Returns the longest uninterrupted time at some levels, second by second. */
function longestIn(field: CoreField, searched: readonly number[], from: number, to: number) {
  const isSearched = [NONE, GOOD, MODERATE, POOR].map((level) => searched.includes(level));
  const known = levels[field];
  let longest = 0;
  let end = 0;
  let seconds = 0;
  for (let second = from; second < to; second++) {
    seconds = isSearched[(known[second - FIRST] as number) - NONE] ? seconds + 1 : 0;
    if (seconds > longest) {
      longest = seconds;
      end = second + 1;
    }
  }
  return longest > 0 ? { from: iso(end - longest), seconds: longest } : null;
}

const NO_VALUES = { lowest: null, average: null, highest: null, lowest_at: null, highest_at: null };

function expected(field: CoreField, from: number, to: number): MetricSummary | null {
  const inside = readings.filter((r) => from <= secondOf(r) && secondOf(r) < to && r[field] !== null);
  const values = inside.map((reading) => reading[field] as number);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const at = (value: number) => iso(secondOf(inside[values.indexOf(value)] as Reading));
  const seconds = [0, 0, 0];
  for (let second = from; second < to; second++) {
    const level = levels[field][second - FIRST] as number;
    if (level !== NONE) seconds[level] = (seconds[level] as number) + 1;
  }
  if (values.length === 0 && seconds.every((each) => each === 0)) return null;
  const valuesInside = () => ({
    lowest,
    average: expect.closeTo(values.reduce((sum, value) => sum + value, 0) / values.length, 7),
    highest,
    lowest_at: at(lowest),
    highest_at: at(highest),
  });
  return {
    ...(values.length > 0 ? valuesInside() : NO_VALUES),
    good_seconds: seconds[GOOD] as number,
    moderate_seconds: seconds[MODERATE] as number,
    poor_seconds: seconds[POOR] as number,
    longest_not_good: longestIn(field, [MODERATE, POOR], from, to),
    longest_poor: longestIn(field, [POOR], from, to),
  };
}

async function check(from: number, to: number): Promise<void> {
  const readingsInside = readings.filter((r) => from <= secondOf(r) && secondOf(r) < to).length;
  const summary = await summarize(store, { sensor: '', from, to }, THRESHOLDS);
  expect({ from: iso(from), to: iso(to), ...summary }).toEqual({
    from: iso(from),
    to: iso(to),
    readings: readingsInside,
    co2: expected('co2', from, to),
    voc: expected('voc', from, to),
  });
}

test.each([
  ['seconds', 40, () => 1 + below(900)],
  ['hours', 30, () => 900 + below(6 * 3600)],
  ['days', 20, () => 3600 + below(6 * DAY)],
  ['weeks', 5, () => 4 * DAY + below(25 * DAY)],
  ['months', 2, () => 33 * DAY + below(LENGTH - 33 * DAY)],
])('spans of %s are summarized exactly to the second (seed 20260102)', async (_, count, pickLength) => {
  for (let i = 0; i < count; i++) {
    const length = pickLength();
    const from = START + below(LENGTH - length);
    await check(from, from + length);
  }
});

test('whole hours and days, and spans beyond all readings, are summarized exactly to the second', async () => {
  const midnight = Date.parse('2026-01-05T00:00:00Z') / 1000;
  await check(midnight, midnight + DAY);
  await check(midnight, midnight + 7 * DAY);
  await check(midnight + 5400, midnight + 9000);
  await check(START - DAY, START + LENGTH + DAY);
  await check(START - DAY, START - 600);
  await check(START, START);
});

test('ten minutes between the readings of an hourly sensor have the level of the hour', async () => {
  const hourly = Array.from({ length: 5 }, (_, i) => {
    return { id: i, co2: 1500, voc: null, created_at: iso(START + i * 3600) };
  });
  const span = { sensor: '', from: START + 3 * 3600 + 1800, to: START + 3 * 3600 + 2400 };
  expect(await summarize(historyStore(hourly), span, THRESHOLDS)).toEqual({
    readings: 0,
    co2: {
      ...NO_VALUES,
      good_seconds: 0,
      moderate_seconds: 600,
      poor_seconds: 0,
      longest_not_good: { from: iso(span.from), seconds: 600 },
      longest_poor: null,
    },
    voc: null,
  });
});

test('readings of another metric do not interrupt a stretch', async () => {
  const mixed = Array.from({ length: 8 * 60 }, (_, i) => [
    { id: 2 * i, co2: null, voc: 100, created_at: iso(START + i * 60) },
    ...(i % 10 === 0 ? [{ id: 2 * i + 1, co2: 1500, voc: null, created_at: iso(START + i * 60) }] : []),
  ]).flat();
  const span = { sensor: '', from: START, to: START + 8 * 3600 };
  // The last slot has no successor.
  const seconds = 8 * 3600 - 300;
  expect((await summarize(historyStore(mixed), span, THRESHOLDS)).co2).toMatchObject({
    moderate_seconds: seconds,
    longest_not_good: { from: iso(START), seconds },
  });
});

test('every level occurs in the test data', () => {
  for (const field of ['co2', 'voc'] as const) {
    const inside = levels[field].subarray(START - FIRST, START - FIRST + LENGTH);
    for (const level of [GOOD, MODERATE, POOR, NO_LEVEL]) expect(inside.includes(level)).toBe(true);
  }
});

test.each([
  ['bad nights', 1000, 0.2],
  ['values around a threshold', 100, 1.2],
])('three months of %s take few queries, and few at a time', async (kind, spread, share) => {
  const days = 90;
  const every = Array.from({ length: days * 288 }, (_, i) => {
    const hour = (i / 12) % 24;
    const level = kind === 'bad nights' && hour > 7 && hour < 22 ? 500 : 1000 + (random() - 0.4) * spread;
    return { id: i, co2: level, voc: null, created_at: iso(START + i * 300) };
  });
  const months = historyStore(every);
  const summary = await summarize(months, { sensor: '', from: START, to: START + days * DAY }, THRESHOLDS);
  expect(summary.co2?.longest_not_good?.seconds).toBeGreaterThan(3600);
  expect(months.queries.length).toBeLessThan(120);
  expect(months.read()).toBeLessThan(share * every.length);
  expect(months.concurrent()).toBeLessThan(20);
});
