import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoomDay, RoomStore } from '../../app/store/room-store';

/** An empty store of findings under test, to which nobody else writes. */
export interface RoomStoreUnderTest {
  store: RoomStore;
  /** Stores a reading of a sensor. */
  insert(sensor: string): Promise<unknown>;
  /** Closes the store and opens it again. */
  reopen(): Promise<RoomStore>;
  close(): Promise<void>;
}

const DAY = 86_400;
const FIRST = Date.UTC(2026, 0, 2) / 1000;

/** Declares the tests of every `RoomStore`. */
export function roomContract(open: () => Promise<RoomStoreUnderTest>): void {
  let under: RoomStoreUnderTest;
  let store: RoomStore;

  beforeAll(async () => {
    under = await open();
    store = under.store;
    for (const sensor of ['', 'Office', 'Zoë\'s "attic", 50 %', 'many']) await under.insert(sensor);
  });

  afterAll(() => under.close());

  const day = (sensor: string, n: number, findings = '{}', key = 'one'): RoomDay => ({
    sensor,
    day: FIRST + n * DAY,
    key,
    findings,
  });
  const allOf = (sensor: string) =>
    store.days({ sensor, from: FIRST - 1000 * DAY, to: FIRST + 10_000 * DAY });

  test('returns kept days in order, even after the store was reopened', async () => {
    const findings = '{"text": "Stoßlüften \\"weit\\"", "n": 1.5,   "list": [1e300]}';
    const days = [day('Office', 3, findings), day('Office', -2), day('', 1, '', ''), day('Office', 0)];
    await store.keep(days);
    const [last, first, unnamed, middle] = days;
    expect(await allOf('Office')).toEqual([first, middle, last]);
    store = await under.reopen();
    expect(await allOf('Office')).toEqual([first, middle, last]);
    expect(await allOf('')).toEqual([unnamed]);
  });

  test('selects the days from `from` up to but not including `to`', async () => {
    const sensor = 'Zoë\'s "attic", 50 %';
    await store.keep([0, 1, 2, 3].map((n) => day(sensor, n)));
    expect(await store.days({ sensor, from: FIRST + DAY, to: FIRST + 3 * DAY })).toEqual([
      day(sensor, 1),
      day(sensor, 2),
    ]);
    expect(await store.days({ sensor, from: FIRST + DAY, to: FIRST + DAY })).toEqual([]);
  });

  test('replaces a kept day, even if a call contains it twice', async () => {
    await store.keep([day('Office', 10, 'old'), day('Office', 11, 'stays')]);
    await store.keep([day('Office', 10, 'wrong', 'two'), day('Office', 10, 'new', 'three')]);
    expect((await allOf('Office')).slice(-2)).toEqual([
      day('Office', 10, 'new', 'three'),
      day('Office', 11, 'stays'),
    ]);
  });

  test('ignores days of a sensor without readings, and keeps the others', async () => {
    await store.keep([day('no such sensor', 20), day('Office', 20, 'kept')]);
    expect(await allOf('no such sensor')).toEqual([]);
    expect((await allOf('Office')).at(-1)).toEqual(day('Office', 20, 'kept'));
    await store.keep([]);
  });

  test('keeps and returns the days of four years', async () => {
    const days = Array.from({ length: 1461 }, (_, n) => day('many', n, `{"n": ${n}}`));
    await store.keep(days);
    expect(await allOf('many')).toEqual(days);
  });
}
