import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summarize } from '../../app/history/summarize.server';
import { METRICS } from '../../app/readings/metric';
import type { Reading, ReadingInput } from '../../app/readings/reading';
import { DEFAULT_SETTINGS } from '../../app/readings/sensor-settings';
import { formatReadingTime } from '../../app/readings/time/reading-time';
import type { HistoryQuery, ReadingStore } from '../../app/store/reading-store';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { THRESHOLDS } from '../support/readings/readings';
import { rollUpsOf } from './history-contract';
import type { StoreUnderTest } from './store-contract';

const DAY = 86_400;
const FIRST = Date.UTC(2020, 0, 6) / 1000;
const DAYS = 4;
/** Raw readings are kept from here on. */
const KEPT = FIRST + 3 * DAY;
const SPAN = { from: FIRST, to: FIRST + DAYS * DAY };
const INTERVALS = [20, 150, 400, 400, 1250, 2500];
const OTHER_LIMITS = { ...THRESHOLDS, co2: { good: 700, moderate: 1100.5 } };

const at = (second: number, values: Partial<ReadingInput> = {}): ReadingInput => ({
  sensor: 'Hall',
  co2: 600,
  voc: null,
  created_at: formatReadingTime(second * 1e6),
  ...values,
});

/** Declares the tests of removing raw readings, which share a store. */
export function rawContract(open: () => Promise<StoreUnderTest>): void {
  let store: ReadingStore;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ store, close } = await open());
    const random = seededRandom(44);
    const below = (limit: number) => Math.floor(random() * limit);
    const readings: ReadingInput[] = [];
    for (const sensor of ['Hall', 'Attic']) {
      for (let time = SPAN.from + 7; time < SPAN.to; time += INTERVALS[below(INTERVALS.length)] as number) {
        const co2 = below(20) === 0 ? 65_535 : 400 + below(8000) / 4;
        readings.push(at(time, { sensor, co2, ...(below(3) === 0 && { temperature: 15 + below(40) / 4 }) }));
      }
    }
    for (let i = 0; i < readings.length; i += 500) await store.insertAll(readings.slice(i, i + 500));
  });

  afterAll(async () => {
    await store.close();
    await close();
  });

  /** Readings that arrived after the last call stay, so it takes two calls. */
  async function removeRaw(before: number, sensor = 'Hall'): Promise<number> {
    let removed = 0;
    for (let call = 0; call < 2; call += 1)
      for await (const count of store.removeRaw({ before: new Map([[sensor, before]]) })) removed += count;
    return removed;
  }

  async function rawOf(sensor: string): Promise<Reading[]> {
    const all: Reading[] = [];
    for await (const page of store.read({ sensor })) all.push(...page);
    return all;
  }

  /** Returns every number of a sensor that must not change. */
  async function numbersOf(sensor = 'Hall') {
    const histories = [];
    for (const thresholds of [THRESHOLDS, OTHER_LIMITS])
      for (const step of [300, 900, 3600, DAY])
        histories.push(await rollUpsOf(store, { sensor, ...SPAN, step, thresholds }));
    const { readings, ...whole } = await summarize(
      store,
      { sensor, from: FIRST + 3900, to: KEPT + 600 },
      OTHER_LIMITS,
    );
    const cut = await summarize(store, { sensor, from: FIRST + 4567, to: KEPT - 4321 }, THRESHOLDS);
    const rooms = [];
    for await (const page of store.roomTotals({
      sensors: [{ sensor, ...SPAN }],
      field: 'co2',
      thresholds: THRESHOLDS,
      periods: [{ ...SPAN, offset: 3600 }],
    }))
      rooms.push(...page);
    return {
      histories,
      readings,
      whole: METRICS.map(({ field }) => withoutTimes(whole[field])),
      cut: METRICS.map(({ field }) => timeOf(cut[field])),
      rooms: rooms.map(({ highest_at: _, ...numbers }) => numbers),
      measured: (await store.measured(sensor)).toSorted(),
      summary: (await store.sensors()).find(({ name }) => name === sensor),
    };
  }

  const short = (query: Partial<HistoryQuery> = {}) =>
    rollUpsOf(store, { sensor: 'Hall', ...SPAN, step: 60, thresholds: THRESHOLDS, ...query });

  test('all numbers of a history stay when raw readings are removed, to the second', async () => {
    const before = [await numbersOf(), await numbersOf('Attic')];
    const raw = await rawOf('Hall');
    const shortBefore = await short({ from: KEPT });
    expect(await store.rawFrom('Hall')).toBeNull();
    const old = raw.filter(({ created_at }) => Date.parse(created_at) < KEPT * 1000);
    expect(await removeRaw(KEPT)).toBe(old.length - 1);
    expect([await numbersOf(), await numbersOf('Attic')]).toEqual(before);
    expect(await rawOf('Hall')).toEqual([raw[0], ...raw.slice(old.length)]);
    expect([await store.rawFrom('Hall'), await store.rawFrom('Attic')]).toEqual([KEPT, null]);
    expect(await short({ from: KEPT })).toEqual(shortBefore);
  });

  test('short steps of removed readings have whole slots, and extremes the time of their slot', async () => {
    const slots = await short({ step: 300, to: KEPT });
    expect(await short({ to: KEPT })).toEqual(slots);
    const { co2 } = await summarize(store, { sensor: 'Hall', from: FIRST, to: KEPT }, THRESHOLDS);
    const highest = slots.find(({ co2: totals }) => totals?.highest === co2?.highest);
    expect(co2?.highest_at).toBe(new Date((highest?.start ?? 0) * 1000).toISOString());
    const rooms = store.roomTotals({
      sensors: [{ sensor: 'Hall', from: FIRST, to: KEPT }],
      field: 'co2',
      thresholds: THRESHOLDS,
      periods: [{ from: FIRST, to: KEPT, offset: 0 }],
    });
    for await (const [room] of rooms) expect(room?.highest_at).toBe(highest?.start);
  });

  test('a late reading counts once: it is refused where it may be known, and added where no slot is', async () => {
    const before = await numbersOf();
    const raw = await rawOf('Hall');
    const [{ start = 0 } = {}] = (await short({ step: 300 })).slice(40);
    const [refused] = await store.insertAll([at(start + 1.5)]);
    expect(refused).toMatchObject({
      name: 'ReadingRejectedError',
      message: expect.stringContaining('RAW_DAYS'),
    });
    // The first reading is kept, and so a known one.
    const [first] = raw;
    expect(await store.insert({ ...at(0), ...first })).toMatchObject({
      outcome: 'duplicate',
      reading: first,
    });
    expect(await numbersOf()).toEqual(before);

    const late = [at(FIRST - DAY), at(FIRST - DAY + 30, { co2: 800 }), at(FIRST - DAY + 60, { co2: 900 })];
    for (const reading of late) expect(await store.insert(reading)).toMatchObject({ outcome: 'stored' });
    expect(await store.insertAll(late)).toMatchObject(late.map(() => ({ outcome: 'duplicate' })));
    const day = { from: FIRST - DAY, to: FIRST, step: DAY };
    const added = await short(day);
    expect(added).toMatchObject([{ readings: 3, co2: { values: 3, highest: 900 } }]);
    // The former first reading is no longer the first one.
    expect(await removeRaw(KEPT)).toBe(3);
    expect(await short(day)).toEqual(added);
    expect((await store.sensors()).find(({ name }) => name === 'Hall')?.first_heard).toBe(
      new Date((FIRST - DAY) * 1000).toISOString(),
    );
    expect({ ...(await numbersOf()), summary: null }).toEqual({ ...before, summary: null });
  });

  test('a reading that arrived since the last removal stays until the next one', async () => {
    await store.insert(at(FIRST - DAY + 3600));
    for await (const _ of store.removeRaw({ before: new Map([['Hall', KEPT]]) }));
    expect(await store.insert(at(FIRST - DAY + 3601))).toMatchObject({ outcome: 'stored' });
  });

  describe('a change of the name', () => {
    const change = (sensor: string, name: string, isMerge = false) =>
      store.settings.change({ sensor, name, settings: DEFAULT_SETTINGS, isMerge });

    test('moves the slots of removed readings', async () => {
      const before = (await numbersOf()).histories;
      expect(await change('Hall', 'Foyer')).toEqual({ outcome: 'changed' });
      expect((await numbersOf('Foyer')).histories).toEqual(before);
      expect(await store.rawFrom('Foyer')).toBe(KEPT);
      expect((await numbersOf('Hall')).histories.flat()).toEqual([]);
    });

    test('merges no sensors whose removed readings may have had the same times', async () => {
      expect(await change('Attic', 'Foyer', true)).toMatchObject({ outcome: 'conflicts' });
    });

    test('merges the slots of another time', async () => {
      const other = Array.from({ length: 400 }, (_, i) =>
        at(SPAN.to + DAY + i * 200, { sensor: 'New', co2: 500 + i }),
      );
      await store.insertAll(other);
      const query = { from: FIRST - 2 * DAY, to: SPAN.to + 3 * DAY, step: 300 };
      const both = [
        ...(await short({ ...query, sensor: 'Foyer' })),
        ...(await short({ ...query, sensor: 'New' })),
      ];
      expect(await change('Foyer', 'New', true)).toEqual({ outcome: 'changed' });
      expect(await short({ ...query, sensor: 'New' })).toEqual(both);
      expect(await store.rawFrom('New')).toBe(KEPT);
    });
  });
}

function withoutTimes(summary: object | null | undefined) {
  const { lowest_at: _, highest_at: __, ...numbers } = { lowest_at: null, highest_at: null, ...summary };
  return numbers;
}

/** Returns the time in levels, which is exact for any span. */
function timeOf(summary: object | null | undefined) {
  return Object.entries(summary ?? {}).filter(
    ([name]) => name.endsWith('seconds') || name.startsWith('longest'),
  );
}
