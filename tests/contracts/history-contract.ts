import { expect, test } from 'vitest';
import { summarize } from '../../app/history/summarize.server';
import { levelSecondsOf, measuredSeconds } from '../../app/readings/history/history-answer';
import { STEPS } from '../../app/readings/history/history-step';
import { METRICS } from '../../app/readings/metric';
import { compareReadings, type Reading, type ReadingInput } from '../../app/readings/reading';
import { type RollUp, roundedAverageOf, stepStart } from '../../app/readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../../app/readings/roll-up/slot';
import { formatReadingTime } from '../../app/readings/time/reading-time';
import type { HistoryQuery, ReadingStore, RoomsQuery } from '../../app/store/reading-store';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { historyStore, rollUpReadings } from '../support/history/roll-up-readings';
import { THRESHOLDS } from '../support/readings/readings';

const SEED = 20261122;
const DAY = 86_400;
const DAYS = 12;
const ROUNDS = 8;
/** The number of queries after each round. */
const QUERIES = 5;
/** Sensors and their intervals in seconds. The last one is irregular. */
const BEATS: [name: string, seconds: number[]][] = [
  ['each 5 s', [5]],
  ['each minute', [60]],
  ['each 7 minutes', [420]],
  ['each hour', [3600]],
  ['now and then', [7, 130, 300, 450, 900, 1290, 1310, 2500, 3890, 4000]],
];

/** Returns the roll-ups of a store as one list. */
export async function rollUpsOf(store: ReadingStore, query: HistoryQuery): Promise<RollUp[]> {
  const found: RollUp[] = [];
  for await (const page of store.rollUps(query)) found.push(...page);
  return found;
}

/** Computes the answer to a query from readings in any order. */
export function expectedRollUps(readings: readonly Reading[], query: HistoryQuery): RollUp[] {
  const ordered = readings.toSorted(compareReadings);
  return rollUpReadings(ordered, query, query.thresholds).filter(
    ({ start }) => start >= query.from && start < query.to,
  );
}

/** Generates readings of `BEATS` and queries for them from a seed. The sums of values are exact in any order. */
export function randomHistory(random: () => number, now = Math.floor(Date.now() / 1000)) {
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (share: number) => random() < share;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  /** Times of readings near which queries start. */
  const times: number[] = [];

  /** Returns a time in the last days, often shortly before or after the end of a UTC day. */
  function pickTime(): number {
    const time = now - below(DAYS * DAY);
    return chance(0.5) ? dayOf(time) - 5400 + below(10_800) : time;
  }

  return {
    below,
    chance,
    pick,
    /** Returns readings of one sensor, sometimes newest first. */
    readings(count: number): ReadingInput[] {
      const [sensor, beats] = pick(BEATS);
      const isWithoutVoc = chance(0.3);
      let time = pickTime();
      const readings = Array.from({ length: count }, (): ReadingInput => {
        times.push(time);
        const created_at = formatReadingTime(Math.min(time, now) * 1e6 + below(2) * below(1e6));
        time += pick(beats) * (chance(0.05) ? below(10) : 1);
        const co2 = chance(0.1) ? null : below(12_000) / 4;
        const voc = isWithoutVoc && co2 !== null ? null : below(4000) / 4;
        const values: ReadingInput = { sensor, co2, voc, created_at };
        for (const { field } of METRICS.slice(2)) if (chance(0.3)) values[field] = below(800) / 4;
        return values;
      });
      return chance(0.3) ? readings.reverse() : readings;
    },
    /** Returns a query for any step and phase. */
    query(sensor = pick(BEATS)[0]): HistoryQuery {
      const step = pick(STEPS);
      const slots = Math.max(1, step / SLOT_SECONDS);
      // Days of a zone start at a full, half or quarter hour in UTC.
      const phase = chance(0.3) ? 0 : chance(0.5) ? below(slots) * SLOT_SECONDS : (below(24) * 3600) % step;
      const steps = { step, phase: step < SLOT_SECONDS ? 0 : phase };
      const longest = Math.min(2 * DAYS * DAY, step * 2000);
      const from = pick(times) - (chance(0.5) ? 0 : below(longest));
      return {
        sensor,
        ...steps,
        from: stepStart(from, steps),
        to: stepStart(from + below(longest), steps),
        thresholds: chance(0.8) ? THRESHOLDS : { ...THRESHOLDS, co2: { good: 700, moderate: 1100.5 } },
      };
    },
  };
}

const dayOf = (time: number) => Math.floor(time / DAY) * DAY;

async function allOf<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** Compares the numbers of several sensors with the summary of each one. */
async function expectRoomNumbers(
  store: ReadingStore,
  known: readonly Reading[],
  { from, to, thresholds }: Pick<HistoryQuery, 'from' | 'to' | 'thresholds'>,
  pick: <T>(list: readonly T[]) => T,
): Promise<void> {
  const span = {
    from: stepStart(from, { step: SLOT_SECONDS }),
    to: stepStart(to + 299, { step: SLOT_SECONDS }),
  };
  const { field } = pick(METRICS.slice(0, 5));
  const sensors = BEATS.map(([sensor]) => ({ sensor, ...span }));
  const middle = stepStart((span.from + span.to) / 2, { step: 3600 });
  const offset = pick([0, 3600, -12_600]);
  const periods = [
    { from: span.from - DAY, to: middle, offset },
    { from: middle, to: span.to + DAY, offset: offset + 3600 },
  ];
  const totals = await allOf(store.roomTotals({ field, sensors, periods, thresholds }));
  for (const { sensor } of sensors) {
    const own = known.filter((reading) => reading.sensor === sensor).toSorted(compareReadings);
    const expected =
      span.from < span.to
        ? (await summarize(historyStore(own), { sensor, ...span }, thresholds))[field]
        : null;
    const found = totals.find((each) => each.sensor === sensor);
    const { good = 0, moderate = 0, poor = 0 } = found?.seconds ?? {};
    const levels = expected && levelSecondsOf(expected);
    const label = JSON.stringify([sensor, field, span]);
    const numbers = [
      found?.totals?.lowest,
      found?.totals && roundedAverageOf(found.totals),
      found?.totals?.highest,
    ];
    const at = found?.highest_at;
    expect(
      [...numbers, at && new Date(at * 1000).toISOString()].map((each) => each ?? null),
      label,
    ).toEqual(
      [expected?.lowest, expected?.average, expected?.highest, expected?.highest_at].map(
        (each) => each ?? null,
      ),
    );
    if (levels) {
      const { good_seconds, moderate_seconds, poor_seconds } = levels;
      expect({ good, moderate, poor }, label).toEqual({
        good: good_seconds,
        moderate: moderate_seconds,
        poor: poor_seconds,
      });
    } else expect(good + moderate + poor, label).toBe(expected ? measuredSeconds(expected) : 0);
    const hours = new Map<number, { sum: number; values: number }>();
    for (const { start, ...metrics } of rollUpReadings(own, { step: 900 }, thresholds)) {
      const metric = metrics[field];
      if (!metric || metric.values === 0) continue;
      // The first and the last quarter of an hour may be cut.
      for (const slot of rollUpReadings(
        own.filter(isWithin(start, start + 900)),
        { step: SLOT_SECONDS },
        thresholds,
      )) {
        const values = slot[field];
        if (!values || slot.start < span.from || slot.start >= span.to) continue;
        const local = slot.start + (slot.start < middle ? offset : offset + 3600);
        const hour = Math.floor(local / 3600) % 24;
        const { sum, values: count } = hours.get(hour) ?? { sum: 0, values: 0 };
        hours.set(hour, { sum: sum + values.sum, values: count + values.values });
      }
    }
    const averages = [...hours].map(([hour, { sum, values }]) => [hour, sum / values] as const);
    const worst = Math.max(...averages.map(([, average]) => average));
    const worstHours = averages.filter(([, average]) => average === worst).map(([hour]) => hour);
    expect(found?.worst_hour ?? null, label).toBe(averages.length > 0 ? Math.min(...worstHours) : null);
  }
}

const isWithin = (from: number, to: number) => (reading: Reading) => {
  const seconds = Date.parse(reading.created_at) / 1000;
  return from <= seconds && seconds < to;
};

/** Declares the tests that compare the roll-ups of a store with a computation from all readings. */
export function historyContract(getStore: () => ReadingStore): void {
  const ofSensor = (known: readonly Reading[], sensor: string) =>
    known.filter((reading) => reading.sensor === sensor);

  test(`yields the roll-ups and the summary of all readings, with late ones and without duplicates (seed ${SEED})`, async () => {
    const store = getStore();
    const { readings, query, chance, pick, below } = randomHistory(seededRandom(SEED));
    const known: Reading[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const inputs = readings(chance(0.5) ? 1 + below(5) : 20 + below(180));
      for (let i = 0; i < 20 && known.length > 0; i++) {
        const { id: _, ...again } = pick(known);
        inputs.push(chance(0.5) ? again : { ...again, co2: 1 });
      }
      const singles = inputs.splice(0, 10);
      const results = await store.insertAll(inputs);
      results.push(...(await Promise.all(singles.map((single) => store.insert(single)))));
      for (const result of results)
        if ('outcome' in result && result.outcome === 'stored') known.push(result.reading);
      for (let i = 0; i < QUERIES; i++) {
        const asked = query();
        const expected = expectedRollUps(ofSensor(known, asked.sensor), asked);
        expect(await rollUpsOf(store, asked), JSON.stringify(asked)).toEqual(expected);
        const { sensor, thresholds } = asked;
        const from = asked.from + below(1000);
        const span = { sensor, from, to: Math.max(from, asked.to + below(1000)) };
        const memory = historyStore(ofSensor(known, sensor).toSorted(compareReadings));
        const summary = await summarize(memory, span, thresholds);
        expect(await summarize(store, span, thresholds), JSON.stringify(span)).toEqual(summary);
        await expectRoomNumbers(store, known, { ...span, thresholds }, pick);
      }
    }
  });

  test('the numbers of many sensors leave out those without values, and cut the time of a span that ends within a slot', async () => {
    const start = dayOf(Date.now() / 1000) - 5 * DAY;
    for (const [sensor, hours] of [
      ['many a', [0, 1, 2]],
      ['many b', [30, 31]],
    ] as const) {
      const inputs = hours.map((hour) => ({
        sensor,
        co2: 900 + 200 * hour,
        voc: null,
        created_at: formatReadingTime((start + hour * 3600) * 1e6),
      }));
      await getStore().insertAll(inputs);
    }
    const sensors = ['many b', 'nobody', 'many a'].map((sensor) => ({
      sensor,
      from: start + 60,
      to: start + 2 * 3600 + 100,
    }));
    const query = {
      field: 'co2',
      sensors,
      periods: [{ from: 0, to: 5e9, offset: 3600 }],
      thresholds: THRESHOLDS,
    };
    const found = await allOf(getStore().roomTotals(query as RoomsQuery));
    expect(found.filter(({ totals }) => totals)).toEqual([
      {
        sensor: 'many a',
        totals: { values: 3, sum: 3300, lowest: 900, highest: 1300 },
        seconds: { good: 3540, moderate: 3700, poor: 0 },
        highest_at: start + 2 * 3600,
        worst_hour: 3,
      },
    ]);
    const averaged = {
      field: 'co2',
      sensors: ['many a', 'nobody'],
      from: start,
      to: start + 7200,
      step: 900,
    } as const;
    const lines = await allOf(getStore().averages(averaged));
    expect(lines).toEqual([{ sensor: 'many a', averages: [900, null, null, null, 1100, null, null, null] }]);
    const empty = await allOf(getStore().averages({ ...averaged, field: 'pm10' }));
    expect(empty.flatMap(({ averages }) => averages.filter((each) => each !== null))).toEqual([]);
  });

  test('counts a slot again when a late reading arrives on the other side of midnight', async () => {
    const midnight = dayOf(Date.now() / 1000) - 3 * DAY;
    const known: Reading[] = [];
    const insertAt = async (minutes: number) => {
      const created_at = formatReadingTime((midnight + minutes * 60) * 1e6);
      known.push((await getStore().insert({ sensor: 'midnight', co2: 500, voc: null, created_at })).reading);
    };
    const hours = async () => {
      const span = { from: midnight - DAY, to: midnight + DAY, step: 3600 };
      const asked = { sensor: 'midnight', ...span, thresholds: THRESHOLDS };
      const found = await rollUpsOf(getStore(), asked);
      expect(found).toEqual(expectedRollUps(known, asked));
      return found.map(({ start, co2 }) => [(start - midnight) / 3600, co2?.seconds.good]);
    };
    for (const minutes of [-45, -25, 110, 150]) await insertAt(minutes);
    expect(await hours()).toEqual([
      [-1, 20 * 60 + 5 * 60],
      [1, 40 * 60],
      [2, 5 * 60],
    ]);
    // The previous slot lasts up to this one.
    await insertAt(5);
    expect(await hours()).toEqual([
      [-1, 20 * 60 + 30 * 60],
      [0, 5 * 60],
      [1, 40 * 60],
      [2, 5 * 60],
    ]);
    await insertAt(40);
    expect((await hours())[1]).toEqual([0, 35 * 60 + 5 * 60]);
    // The interval before 0:05 is now 10 minutes, so the 35 minutes after it are a gap.
    await insertAt(-5);
    expect((await hours()).slice(0, 2)).toEqual([
      [-1, 20 * 60 + 20 * 60 + 10 * 60],
      [0, 5 * 60 + 5 * 60],
    ]);
  });

  test('yields the newest reading at once, in steps of every length', async () => {
    const { reading } = await getStore().insert({ sensor: 'newest', co2: 1234, voc: null });
    const time = Math.floor(Date.parse(reading.created_at) / 1000);
    for (const step of STEPS) {
      const from = stepStart(time, { step });
      const asked = { sensor: 'newest', from, to: from + step, step, thresholds: THRESHOLDS };
      expect(await rollUpsOf(getStore(), asked)).toEqual(expectedRollUps([reading], asked));
    }
  });

  test('yields nothing for an unknown sensor and for a span without readings', async () => {
    const asked = { from: 0, to: 100 * DAY, step: DAY, thresholds: THRESHOLDS };
    expect(await rollUpsOf(getStore(), { ...asked, sensor: 'nobody' })).toEqual([]);
    expect(await rollUpsOf(getStore(), { ...asked, sensor: 'newest' })).toEqual([]);
  });

  test.each([
    [1026.3, 1081.1, 892.6],
    [892.6, 1081.1, 1026.3],
    [1081.1, 892.6, 1026.3],
  ])('a slot whose average equals a threshold has the worse level: %d, %d, %d', async (...values) => {
    const start = Date.UTC(2026, 0, 1, 12) / 1000;
    const sensor = values.join(' ');
    for (const [i, co2] of values.entries())
      await getStore().insert({ sensor, co2, voc: null, created_at: formatReadingTime((start + i) * 1e6) });
    for (const step of [60, SLOT_SECONDS, 900, DAY]) {
      const from = stepStart(start, { step });
      const asked = { sensor, step, from, to: from + step, thresholds: THRESHOLDS };
      const [found] = await rollUpsOf(getStore(), asked);
      expect(found?.co2?.seconds).toEqual({ good: 0, moderate: 300, poor: 0 });
    }
  });

  test('a faulty value counts as a reading, but not as a measurement', async () => {
    const sensor = 'faulty';
    const start = Date.UTC(2026, 0, 1, 12) / 1000;
    const faults: Partial<ReadingInput>[] = [
      { co2: 65_519, temperature: -127, humidity: 140 },
      { co2: -1, pm25: 65_535, pressure: 0 },
      { co2: 1.7e308, voc: -1, temperature: 85 },
      { co2: 299.99, voc_index: 0, nox_index: -1, pm10: 6553.5 },
    ];
    const good: Partial<ReadingInput> = { co2: 742, temperature: 21, humidity: 100, pm25: 999.9 };
    const values = [good, ...faults, good];
    const inputs = values.map((each, i) => {
      const created_at = formatReadingTime((start + i * 200) * 1e6);
      return { sensor, co2: null, voc: null, ...each, created_at };
    });
    await getStore().insertAll(inputs);
    // The readings of a batch and single ones take different ways into the sums.
    for (const input of inputs.slice(1, 3)) await getStore().insert({ ...input, sensor: 'faulty too' });
    const totals = (value: number) => ({ values: 2, sum: 2 * value, lowest: value, highest: value });
    for (const step of STEPS.filter((step) => step >= 3600)) {
      const from = stepStart(start, { step });
      const asked = { step, from, to: from + step, thresholds: THRESHOLDS };
      const [found] = await rollUpsOf(getStore(), { ...asked, sensor });
      expect(found, `${step}`).toMatchObject({
        readings: 6,
        co2: { ...totals(742), seconds: { good: 1200, moderate: 0, poor: 0 } },
        voc: null,
        temperature: totals(21),
        humidity: totals(100),
        pm25: totals(999.9),
      });
      expect(found).not.toHaveProperty('pressure');
      const only = await rollUpsOf(getStore(), { ...asked, sensor: 'faulty too' });
      expect(only).toEqual([{ start: from, readings: 2, co2: null, voc: null }]);
    }
    const span = { sensor, from: start - 100, to: start + 1100 };
    expect(await summarize(getStore(), span, THRESHOLDS)).toMatchObject({
      readings: 6,
      co2: { lowest: 742, average: 742, highest: 742, moderate_seconds: 0, poor_seconds: 0 },
      voc: null,
      temperature: { lowest: 21, highest: 21 },
    });
    for (const [from, to] of [
      [start + 200, start + 900],
      [start + 210, start + 890],
    ] as const) {
      const { readings, co2 } = await summarize(getStore(), { sensor, from, to }, THRESHOLDS);
      expect([readings, co2?.lowest, co2?.highest]).toEqual([from === start + 200 ? 4 : 3, null, null]);
    }
    const minutes = { sensor, step: 60, from: start, to: start + 1200, thresholds: THRESHOLDS };
    const found = await rollUpsOf(getStore(), minutes);
    expect(found.map(({ co2, co2_faults }) => co2?.sum ?? co2_faults?.sum)).toEqual(
      values.map(({ co2 }) => co2),
    );
    // An export needs a column for each metric.
    expect(await getStore().measured('faulty too')).toEqual(
      expect.arrayContaining(['pm25', 'temperature', 'humidity', 'pressure']),
    );
    const stored = await getStore().newest(6, { sensor });
    expect(stored.map(({ co2 }) => co2)).toEqual(values.map(({ co2 }) => co2));
  });
}
