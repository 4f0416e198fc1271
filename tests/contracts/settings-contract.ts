import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asPostedStore } from '../../app/history/posted-roll-ups.server';
import { asPosted, type Correction } from '../../app/readings/correction';
import type { Reading, SensorSummary } from '../../app/readings/reading';
import { DEFAULT_SETTINGS, type SensorSettings } from '../../app/readings/sensor-settings';
import type { ReadingStore } from '../../app/store/reading-store';
import type { ChangedSensor } from '../../app/store/settings-store';
import { until } from '../support/until';

/** A store under test, to which nobody else writes. */
export interface SettingsStoreUnderTest {
  store: ReadingStore;
  reopen(): Promise<ReadingStore>;
  close(): Promise<void>;
}

const OWN: SensorSettings = {
  group: 'School/Floor 2',
  place: 'outdoors',
  note: 'shelf "beside" the door 🚪',
  is_hidden: true,
  thresholds: { co2: { good: 800, moderate: 1400 }, temperature: { from: 18, to: 26 } },
  silent_after_seconds: 600,
  corrections: [{ metric: 'voc', offset: 3, factor: 1, from: '2026-01-02T00:00:00.000Z' }],
  raw_days: 90,
};

const timeOf = (second: number) => new Date(Date.UTC(2026, 0, 2, 10) + second * 1000).toISOString();

/** Declares the tests of every `SettingsStore` that may change sensors. */
export function settingsContract(open: () => Promise<SettingsStoreUnderTest>): void {
  let under: SettingsStoreUnderTest;
  let store: ReadingStore;

  beforeAll(async () => {
    under = await open();
    store = under.store;
  });

  afterAll(() => under.close());

  /** Begins the names of a test's sensors, so that the tests can share a store. */
  let prefix = 0;

  beforeEach(() => {
    prefix += 1;
  });

  const full = (name: string) => `${prefix} ${name}`;

  /** Returns the entries of a test's sensors, without the prefix. */
  function own<T>(entries: Iterable<[string, T]>): Record<string, T> {
    const found = [...entries].filter(([name]) => name.startsWith(`${prefix} `));
    return Object.fromEntries(found.map(([name, value]) => [short(name), value]));
  }
  const short = (name: string) => name.replace(/^\d+ /, '');

  async function stored() {
    const { settings, aliases } = await store.settings.load();
    return { settings: own(settings), aliases: own([...aliases].map(([a, b]) => [a, short(b)])) };
  }

  async function post(sensor: string, count: number, first = 0): Promise<void> {
    const readings = Array.from({ length: count }, (_, i) => ({
      sensor: full(sensor),
      co2: 500 + i,
      voc: null,
      temperature: 20,
      created_at: timeOf(first + i),
    }));
    for (const result of await store.insertAll(readings)) expect(result).toMatchObject({ outcome: 'stored' });
  }
  const change = (sensor: string, { name, ...changes }: Partial<ChangedSensor> = {}) =>
    store.settings.change({
      sensor: full(sensor),
      settings: DEFAULT_SETTINGS,
      isMerge: false,
      ...(name !== undefined && { name: full(name) }),
      ...changes,
    });
  const note = (sensor: string) =>
    store.notes.add({ sensor: full(sensor), from: timeOf(0), to: null, text: 'candles' });
  const newest = (sensor: string) => store.newest(100, { sensor: full(sensor) });
  const namesOf = (sensors: readonly SensorSummary[]) =>
    Object.keys(own(sensors.map(({ name }) => [name, null]))).sort();
  async function readingsOf(sensor: string): Promise<number> {
    let count = 0;
    for await (const page of store.rollUps({ ...SPAN, sensor: full(sensor) }))
      for (const { readings } of page) count += readings;
    return count;
  }
  const SPAN = {
    from: Date.UTC(2026, 0, 2) / 1000,
    to: Date.UTC(2026, 0, 3) / 1000,
    step: 86_400,
    thresholds: { co2: { good: 1000, moderate: 2000 }, voc: { good: 400, moderate: 800 } },
  };

  test('keeps the settings of a sensor, even after the store was reopened, until they are the defaults', async () => {
    await post('Bedroom', 1);
    await post('Office', 1);
    const home = { ...DEFAULT_SETTINGS, group: 'Home' };
    expect(await change('Bedroom', { settings: OWN })).toEqual({ outcome: 'changed' });
    expect(await change('Office', { settings: home })).toEqual({ outcome: 'changed' });
    store = await under.reopen();
    expect(await stored()).toEqual({ settings: { Bedroom: OWN, Office: home }, aliases: {} });
    await change('Bedroom');
    expect(await stored()).toEqual({ settings: { Office: home }, aliases: {} });
  });

  test('knows only sensors with readings or notes', async () => {
    expect(await change('Bedroom', { settings: OWN })).toEqual({ outcome: 'unknown' });
    await note('Bedroom');
    expect(await change('Bedroom', { settings: OWN })).toEqual({ outcome: 'changed' });
    expect(await stored()).toEqual({ settings: { Bedroom: OWN }, aliases: {} });
  });

  test('renames a sensor with its readings, history, notes and settings', async () => {
    await post('esp-1', 20);
    await post('Office', 2);
    await note('esp-1');
    const before = await newest('esp-1');
    expect(await readingsOf('esp-1')).toBe(20);
    expect(await change('esp-1', { name: 'Bedroom', settings: OWN })).toEqual({ outcome: 'changed' });
    expect(namesOf(await store.sensors())).toEqual(['Bedroom', 'Office']);
    expect(namesOf(await store.lastHeard())).toEqual(['Bedroom', 'Office']);
    expect(await newest('esp-1')).toEqual([]);
    expect(await store.count(100, full('esp-1'))).toBe(0);
    expect(await store.count(100, full('Bedroom'))).toBe(20);
    expect(await newest('Bedroom')).toEqual(before.map((one) => ({ ...one, sensor: full('Bedroom') })));
    expect(await readingsOf('Bedroom')).toBe(20);
    expect(await readingsOf('esp-1')).toBe(0);
    expect(await store.notes.list({ sensor: full('Bedroom') })).toHaveLength(1);
    expect(await stored()).toEqual({ settings: { Bedroom: OWN }, aliases: { 'esp-1': 'Bedroom' } });
  });

  test('former names follow a sensor from name to name, and end when it has them again', async () => {
    await post('A', 1);
    await change('A', { name: 'B' });
    await change('B', { name: 'C' });
    expect((await stored()).aliases).toEqual({ A: 'C', B: 'C' });
    await change('C', { name: 'A' });
    expect((await stored()).aliases).toEqual({ B: 'A', C: 'A' });
    expect(namesOf(await store.sensors())).toEqual(['A']);
  });

  test('the unnamed sensor can get a name, and lose it', async () => {
    const { reading } = await store.insert({ co2: 500, voc: null });
    const named = { sensor: '', name: full('Kitchen'), settings: DEFAULT_SETTINGS, isMerge: false };
    expect(await store.settings.change(named)).toEqual({ outcome: 'changed' });
    expect(await newest('Kitchen')).toEqual([{ ...reading, sensor: full('Kitchen') }]);
    expect((await store.settings.load()).aliases.get('')).toBe(full('Kitchen'));
    expect(await store.settings.change({ ...named, sensor: full('Kitchen'), name: '' })).toEqual({
      outcome: 'changed',
    });
    expect(await store.newest(9, { sensor: '' })).toEqual([reading]);
    expect((await store.settings.load()).aliases.get('')).toBeUndefined();
  });

  test('refuses a name that another sensor has, and changes nothing', async () => {
    await post('A', 3);
    await post('B', 2, 1);
    expect(await change('A', { name: 'B', settings: OWN })).toEqual({ outcome: 'taken' });
    expect(await change('A', { name: 'B', isMerge: true })).toEqual({ outcome: 'conflicts', conflicts: 2 });
    expect(namesOf(await store.sensors())).toEqual(['A', 'B']);
    expect(await stored()).toEqual({ settings: {}, aliases: {} });
  });

  const correct = (sensor: string, ...corrections: Partial<Correction>[]) =>
    change(sensor, {
      settings: {
        ...DEFAULT_SETTINGS,
        corrections: corrections.map((one) => ({
          ...{ metric: 'co2', offset: 0, factor: 1, from: timeOf(0) },
          ...one,
        })),
      },
    });

  /** Waits until a sensor's readings are corrected. */
  const corrected = (sensor: string) =>
    until(async () => !(await store.settings.load()).recomputing.has(full(sensor)));

  async function all(sensor: string): Promise<Reading[]> {
    const found: Reading[] = [];
    for await (const page of store.read({ sensor: full(sensor) })) found.push(...page);
    return found;
  }

  async function totals(sensor: string, source: ReadingStore = store) {
    for await (const [step] of source.rollUps({ ...SPAN, sensor: full(sensor) })) {
      const { values, sum, lowest, highest } = step?.co2 ?? {};
      return { values, sum, lowest, highest };
    }
    return null;
  }

  test('corrects stored and new readings, keeps the posted values, and restores them', async () => {
    await post('Office', 3);
    const before = await all('Office');
    expect(
      await correct('Office', { offset: -64, from: timeOf(1) }, { metric: 'temperature', offset: 0.1 }),
    ).toEqual({ outcome: 'changed' });
    await corrected('Office');
    await post('Office', 1, 3);
    await store.insert({ sensor: full('Office'), co2: 65535, voc: 9, created_at: timeOf(4) });
    expect((await all('Office')).map(({ co2, temperature, raw }) => [co2, temperature, raw])).toEqual([
      [500, 20.1, { temperature: 20 }],
      [437, 20.1, { co2: 501, temperature: 20 }],
      [438, 20.1, { co2: 502, temperature: 20 }],
      [436, 20.1, { co2: 500, temperature: 20 }],
      [65535, undefined, undefined],
    ]);
    expect((await all('Office')).slice(0, 3).map(asPosted)).toEqual(before);
    expect(await totals('Office')).toEqual({ values: 4, sum: 1811, lowest: 436, highest: 500 });
    expect(await totals('Office', asPostedStore(store))).toEqual({
      ...{ values: 4, sum: 2003, lowest: 500, highest: 502 },
    });
    const [summary] = (await store.lastHeard(full('Office'))).filter(({ name }) => name === full('Office'));
    expect(summary?.newest.co2).toBe(65535);
    expect((await newest('Office')).at(-2)?.raw).toEqual({ co2: 500, temperature: 20 });
    await correct('Office');
    await corrected('Office');
    expect((await all('Office')).slice(0, 3)).toEqual(before);
    expect(await totals('Office')).toEqual({ values: 4, sum: 2003, lowest: 500, highest: 502 });
  });

  test('a corrected reading is a duplicate as posted and as corrected', async () => {
    await post('Office', 1);
    await correct('Office', { offset: -64 });
    await corrected('Office');
    const same = { sensor: full('Office'), voc: null, created_at: timeOf(0) };
    const outcomes = await store.insertAll([
      { ...same, co2: 500, temperature: 20 },
      { ...same, co2: 436, temperature: 20 },
      { ...same, co2: 499, temperature: 20 },
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'duplicate', reading: { co2: 436, raw: { co2: 500 } } },
      { outcome: 'duplicate' },
      { outcome: 'conflict' },
    ]);
  });

  test('corrects more readings than one transaction takes, and continues after it was closed', async () => {
    await post('Office', 450);
    await post('Office', 450, 450);
    await correct('Office', { offset: -100 });
    store = await under.reopen();
    await corrected('Office');
    const found = await all('Office');
    expect(found).toHaveLength(900);
    expect(found.every(({ co2, raw }) => raw?.co2 !== undefined && co2 === raw.co2 - 100)).toBe(true);
    expect(await totals('Office')).toMatchObject({ values: 900, lowest: 400, highest: 849 });
  });

  test('a merged sensor gets the corrections of the other one', async () => {
    await post('A', 2);
    await post('B', 1, 1000);
    await correct('A', { offset: -10 });
    await correct('B', { offset: -20 });
    await change('A', { name: 'B', isMerge: true });
    await corrected('B');
    expect((await all('B')).map(({ co2, raw }) => [co2, raw?.co2])).toEqual([
      [480, 500],
      [481, 501],
      [480, 500],
    ]);
  });

  test('merges two sensors without common times', async () => {
    await post('A', 4);
    await post('B', 3, 1000);
    await note('A');
    await change('B', { settings: OWN });
    await change('A', { settings: { ...OWN, group: 'Home' } });
    expect(await readingsOf('B')).toBe(3);
    expect(await change('A', { name: 'B', isMerge: true })).toEqual({ outcome: 'changed' });
    expect(namesOf(await store.sensors())).toEqual(['B']);
    expect((await newest('B')).map(({ co2 }) => co2)).toEqual([500, 501, 502, 503, 500, 501, 502]);
    expect(await readingsOf('B')).toBe(7);
    expect(await store.count(10, full('B'))).toBe(7);
    expect(await store.notes.list({ sensor: full('B') })).toHaveLength(1);
    expect(await stored()).toEqual({ settings: { B: OWN }, aliases: { A: 'B' } });
  });
}
