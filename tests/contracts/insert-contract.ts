import { describe, expect, test } from 'vitest';
import { byMetric, METRICS, type Metric } from '../../app/readings/metric';
import type { Reading, ReadingInput } from '../../app/readings/reading';
import { type InsertResult, ReadingRejectedError, type ReadingStore } from '../../app/store/reading-store';

const TIME = '2026-01-02T10:00:00.000Z';
const LATER = '2026-01-02T10:00:00.001Z';

/** A stored reading, a later one, and the result of the later one. */
const REPEATED: [claim: string, sent: ReadingInput, outcome: InsertResult['outcome']][] = [
  ['the same values', { co2: 415.1, voc: null, created_at: TIME }, 'duplicate'],
  [
    'the same time with an offset',
    { co2: 415.1, voc: null, created_at: '2026-01-02T11:00:00+01:00' },
    'duplicate',
  ],
  [
    'decimals beyond microseconds',
    { co2: 415.1, voc: null, created_at: '2026-01-02T10:00:00.0000009Z' },
    'duplicate',
  ],
  ['another value', { co2: 415.2, voc: null, created_at: TIME }, 'conflict'],
  ['a value instead of null', { co2: 415.1, voc: 0, created_at: TIME }, 'conflict'],
  ['null instead of a value', { co2: null, voc: 1, created_at: TIME }, 'conflict'],
  [
    'a time a microsecond later',
    { co2: 415.1, voc: null, created_at: '2026-01-02T10:00:00.000001Z' },
    'stored',
  ],
  ['a time a millisecond later', { co2: 415.1, voc: null, created_at: LATER }, 'stored'],
];

/** Declares the tests of inserted readings. Each uses its own sensors. */
export function insertContract(getStore: () => ReadingStore): void {
  let sensors = 0;
  const newSensor = () => `sensor ${++sensors}`;

  async function all(sensor: string): Promise<Reading[]> {
    const found: Reading[] = [];
    for await (const page of getStore().read({ sensor })) found.push(...page);
    return found;
  }

  describe.each([
    [
      'one by one',
      async (readings: ReadingInput[]) => {
        const results: InsertResult[] = [];
        for (const reading of readings) results.push(await getStore().insert(reading));
        return results;
      },
    ],
    [
      'in one batch',
      async (readings: ReadingInput[]) => (await getStore().insertAll(readings)) as InsertResult[],
    ],
  ])('inserted %s', (_, insert) => {
    test.each(REPEATED)('handles a reading with %s', async (_, sent, outcome) => {
      const sensor = newSensor();
      const results = await insert([
        { co2: 415.1, voc: null, created_at: TIME, sensor },
        { ...sent, sensor },
      ]);
      expect(results.map((result) => result.outcome)).toEqual(['stored', outcome]);
      const [known, second] = results.map(({ reading }) => reading);
      expect(known).toEqual({ id: known?.id, co2: 415.1, voc: null, created_at: TIME, sensor });
      if (outcome === 'stored') expect(second).toEqual({ ...sent, sensor, id: second?.id });
      else expect(second).toEqual(known);
      expect(await all(sensor)).toEqual(outcome === 'stored' ? [known, second] : [known]);
    });

    test('stores readings with any metric alone, and rejects another value of it', async () => {
      for (const { field } of METRICS) {
        const sensor = newSensor();
        const of = (value: number, created_at = TIME): ReadingInput => ({
          co2: null,
          voc: null,
          [field]: value,
          created_at,
          sensor,
        });
        const results = await insert([of(7.25), of(7.25), of(7.5), of(-0.125, LATER)]);
        expect(
          results.map(({ outcome }) => outcome),
          field,
        ).toEqual(['stored', 'duplicate', 'conflict', 'stored']);
        const readings = [results[0], results[3]].map((result) => result?.reading);
        expect(readings).toEqual([
          { id: expect.any(Number), ...of(7.25) },
          { id: expect.any(Number), ...of(-0.125, LATER) },
        ]);
        expect(await all(sensor)).toEqual(readings);
        expect(await getStore().newest(5, { sensor })).toEqual(readings);
        const summary = (await getStore().sensors()).find(({ name }) => name === sensor);
        expect(summary?.newest).toEqual(readings[1]);
      }
    });

    test('stores readings with all metrics, and rejects one metric more or less', async () => {
      const sensor = newSensor();
      const values = byMetric((metric) => METRICS.indexOf(metric) + 0.5);
      const full: ReadingInput = { ...values, created_at: TIME, sensor };
      const { [(METRICS.at(-1) as Metric).field]: _, ...fewer } = full;
      const results = await insert([full, full, { ...fewer, co2: values.co2, voc: null }]);
      expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'duplicate', 'conflict']);
      expect(await all(sensor)).toEqual([{ id: results[0]?.reading.id, ...full }]);
    });

    test('stores readings of several sensors at one time', async () => {
      const names = [newSensor(), newSensor(), newSensor()];
      const results = await insert(names.map((sensor) => ({ co2: 1, voc: 2, created_at: LATER, sensor })));
      expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored']);
      for (const [i, sensor] of names.entries()) expect(await all(sensor)).toEqual([results[i]?.reading]);
    });

    test('never merges readings without a time', async () => {
      const sensor = newSensor();
      const results = await insert(Array.from({ length: 20 }, () => ({ co2: 400, voc: 100, sensor })));
      expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['stored']));
      const stored = await all(sensor);
      expect(new Set(stored.map(({ id }) => id)).size).toBe(20);
      expect(new Set(stored.map(({ created_at }) => created_at)).size).toBe(20);
    });
  });

  test('reports only one of several simultaneous duplicates as stored', async () => {
    const sensor = newSensor();
    const reading = { co2: 400, voc: 100, created_at: TIME, sensor };
    const results = await Promise.all(Array.from({ length: 8 }, () => getStore().insert(reading)));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual([...Array(7).fill('duplicate'), 'stored']);
    expect(new Set(results.map(({ reading }) => reading.id)).size).toBe(1);
    expect(await all(sensor)).toHaveLength(1);
  });

  test('stores a batch in order, and only once', async () => {
    const sensor = newSensor();
    const batch = Array.from({ length: 300 }, (_, i) => ({
      co2: i % 7 === 0 ? null : i,
      voc: i,
      created_at: new Date(Date.parse(TIME) - i * 1000).toISOString(),
      sensor,
    }));
    const first = (await getStore().insertAll(batch)) as InsertResult[];
    const ids = first.map(({ reading }) => reading.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(first.map(({ reading: { id: _, ...values } }) => values)).toEqual(batch);
    const second = (await getStore().insertAll(batch)) as InsertResult[];
    expect(second).toEqual(first.map(({ reading }) => ({ outcome: 'duplicate', reading })));
    expect(await all(sensor)).toEqual(first.map(({ reading }) => reading).reverse());
    expect(await getStore().insertAll([])).toEqual([]);
  });

  test('rejects a reading without values, and stores nothing of it', async () => {
    const sensor = newSensor();
    const nothing = { co2: null, voc: null, created_at: TIME, sensor };
    await expect(getStore().insert(nothing)).rejects.toThrow(ReadingRejectedError);
    expect(await getStore().insertAll([nothing])).toEqual([expect.any(ReadingRejectedError)]);
    expect(await all(sensor)).toEqual([]);
  });

  test('reports exactly the stored readings to listeners', async () => {
    const sensor = newSensor();
    const reported: Reading[] = [];
    const unsubscribe = getStore().inserts?.subscribe((reading) => reported.push(reading));
    const reading = { co2: 1, voc: 1, created_at: TIME, sensor };
    const { reading: first } = await getStore().insert(reading);
    await getStore().insert(reading);
    const [, second] = (await getStore().insertAll([
      reading,
      { ...reading, created_at: LATER },
    ])) as InsertResult[];
    unsubscribe?.();
    expect(reported).toEqual(unsubscribe ? [first, second?.reading] : []);
  });
}
