import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NoteInput } from '../../app/readings/note';
import { MAX_NOTES, type NoteStore } from '../../app/store/note-store';

/** A store of notes under test, to which nobody else writes. */
export interface NoteStoreUnderTest {
  store: NoteStore;
  /** Closes the store and opens it again. */
  reopen(): Promise<NoteStore>;
  close(): Promise<void>;
}

const span = (from: string, to: string | null, text: string, sensor = 'Office'): NoteInput => ({
  sensor,
  from: `2026-01-02T${from}.000Z`,
  to: to && `2026-01-02T${to}.000Z`,
  text,
});
const at = (time: string) => `2026-01-02T${time}.000Z`;

/** Declares the tests of every `NoteStore` that may remove notes. */
export function noteContract(open: () => Promise<NoteStoreUnderTest>): void {
  let under: NoteStoreUnderTest;
  let store: NoteStore;

  beforeAll(async () => {
    under = await open();
    store = under.store;
  });

  beforeEach(async () => {
    for (const { id } of await store.list({})) await store.remove(id);
  });

  afterAll(() => under.close());

  const textsOf = async (query: Parameters<NoteStore['list']>[0]) =>
    (await store.list(query)).map(({ text }) => text);

  test('returns a stored note with an id, even after the store was reopened', async () => {
    const inputs = [
      span('10:00:00', null, 'candles'),
      span('11:00:00', '12:30:00', 'six people', ''),
      { ...span('13:00:00', null, 'Stoßlüften: "weit" auf, 20 °C 🪟'), from: '2026-01-02T13:00:00.000001Z' },
    ];
    const notes = [];
    for (const input of inputs) notes.push(await store.add(input));
    expect(notes).toEqual(inputs.map((input) => ({ ...input, id: expect.any(Number) })));
    expect(new Set(notes.map(({ id }) => id)).size).toBe(3);
    expect(await store.list({})).toEqual(notes);
    store = await under.reopen();
    expect(await store.list({})).toEqual(notes);
  });

  test('selects the notes of a sensor, even without readings', async () => {
    await store.add(span('10:00:00', null, 'one'));
    await store.add(span('10:00:00', null, 'two', 'Zoë\'s "attic", 50 %'));
    await store.add(span('10:00:00', null, 'three', ''));
    expect(await textsOf({ sensor: 'Office' })).toEqual(['one']);
    expect(await textsOf({ sensor: 'Zoë\'s "attic", 50 %' })).toEqual(['two']);
    expect(await textsOf({ sensor: '' })).toEqual(['three']);
    expect(await textsOf({ sensor: 'no such sensor' })).toEqual([]);
    expect(await textsOf({})).toEqual(['one', 'two', 'three']);
  });

  test('selects notes that end at or after a time and begin before another one', async () => {
    await store.add(span('10:00:00', '11:00:00', 'span'));
    await store.add(span('11:00:00', null, 'moment'));
    await store.add(span('12:00:00', '14:00:00', 'later'));
    await store.add(span('10:30:00', null, 'other', 'Attic'));
    const within = (from: string, to: string) => textsOf({ sensor: 'Office', from: at(from), to: at(to) });
    expect(await within('11:00:00', '12:00:00')).toEqual(['span', 'moment']);
    expect(await within('11:00:01', '12:00:00')).toEqual([]);
    expect(await within('11:00:01', '12:00:01')).toEqual(['later']);
    expect(await within('13:00:00', '13:30:00')).toEqual(['later']);
    expect(await within('14:00:01', '23:00:00')).toEqual([]);
    expect(await within('09:00:00', '10:00:00')).toEqual([]);
    expect(await textsOf({ from: at('11:00:00') })).toEqual(['span', 'moment', 'later']);
    expect(await textsOf({ to: at('10:30:01') })).toEqual(['span', 'other']);
  });

  test('orders notes by their beginning, then by id', async () => {
    const texts = ['12:00:00', '10:00:00', '11:00:00', '10:00:00'];
    for (const [i, from] of texts.entries())
      await store.add(span(from, null, `${from} ${i}`, `sensor ${i % 2}`));
    expect(await textsOf({})).toEqual(['10:00:00 1', '10:00:00 3', '11:00:00 2', '12:00:00 0']);
  });

  test('removes a note once', async () => {
    const { id } = await store.add(span('10:00:00', null, 'mistake'));
    await store.add(span('10:00:00', null, 'right'));
    expect(await store.remove(id)).toBe(true);
    expect(await store.remove(id)).toBe(false);
    expect(await textsOf({})).toEqual(['right']);
    const next = await store.add(span('10:00:00', null, 'next'));
    expect(next.id).toBeGreaterThan(id);
  });

  test(`returns the newest ${MAX_NOTES} notes`, async () => {
    const first = Date.UTC(2026, 0, 2);
    for (let i = 0; i < MAX_NOTES + 3; i += 17) {
      const some = Array.from({ length: Math.min(17, MAX_NOTES + 3 - i) }, (_, j) => i + j);
      await Promise.all(
        some.map((n) =>
          store.add({ ...span('10:00:00', null, `${n}`), from: new Date(first + n * 1000).toISOString() }),
        ),
      );
    }
    const texts = await textsOf({ sensor: 'Office' });
    expect(texts).toEqual(Array.from({ length: MAX_NOTES }, (_, i) => `${i + 3}`));
    expect(await textsOf({ to: new Date(first + 2000).toISOString() })).toEqual(['0', '1']);
  });
}
