import { beforeEach, describe, expect, test, vi } from 'vitest';

// The settings are read at the first check. Empty values override those of a `.env` file.
Object.assign(process.env, { POSTS_PER_MINUTE: '20', WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });

let rate: typeof import('../../app/ingest/post-rate.server');

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  Reflect.deleteProperty(globalThis, Symbol.for('airboard.post-rate'));
  rate = await import('../../app/ingest/post-rate.server');
});

/** Makes posts that are never stored. Returns the number of refused ones. */
const postInvalid = (address: string, count: number) =>
  Array.from({ length: count }, () => rate.refuseBusyAddress(address)).filter(Boolean).length;

/** Stores readings from an address until one is refused or `count` are stored. Returns the number of stored ones. */
function store(address: string, count = 100): number {
  let stored = 0;
  for (; stored < count && rate.takeRoom(address).ok; stored++) rate.rememberAddress(address);
  return stored;
}

/** Stores a batch from an address. Returns the status and headers of its refusal, or null. */
function storeBatch(address: string, count: number) {
  const room = rate.takeRoom(address, count);
  if (!room.ok) return { status: room.status, headers: room.headers };
  rate.rememberAddress(address);
  return null;
}

describe('posts of one address', () => {
  test('are refused over POSTS_PER_MINUTE until Retry-After, even if the clock is set back', () => {
    expect(postInvalid('a', 20)).toBe(0);
    vi.advanceTimersByTime(20_500);
    expect(rate.refuseBusyAddress('a')).toMatchObject({ status: 429, headers: { 'Retry-After': '40' } });
    vi.setSystemTime(Date.parse('2025-12-31T10:00:00Z'));
    vi.advanceTimersByTime(39_000);
    expect(rate.refuseBusyAddress('a')).toMatchObject({ headers: { 'Retry-After': '1' } });
    vi.advanceTimersByTime(1000);
    expect(rate.refuseBusyAddress('a')).toBeNull();
  });

  test('use up neither the room of other addresses nor that of stored readings', () => {
    expect(postInvalid('visitor', 1000)).toBe(980);
    expect(rate.refuseBusyAddress('sensor')).toBeNull();
    expect(store('sensor')).toBe(20);
  });

  test('are counted separately for 10,000 addresses, and together for the rest', () => {
    for (let i = 0; i < 10_000; i++) rate.refuseBusyAddress(`address ${i}`);
    expect(postInvalid('one more', 10)).toBe(0);
    expect(postInvalid('another', 11)).toBe(1);
    expect(postInvalid('address 5', 19)).toBe(0);
  });
});

describe('stored readings', () => {
  test('a single address may store POSTS_PER_MINUTE, and as many in the next minute', () => {
    expect(store('sensor')).toBe(20);
    expect(rate.takeRoom('sensor')).toMatchObject({ status: 429, headers: { 'Retry-After': '60' } });
    vi.advanceTimersByTime(MINUTE_MS);
    expect(store('sensor')).toBe(20);
  });

  test('a reading that is not stored returns its room', () => {
    store('sensor', 15);
    for (let i = 0; i < 100; i++) {
      const room = rate.takeRoom(`sensor ${i}`);
      if (room.ok) room.giveBack(1);
    }
    expect(store('sensor')).toBe(5);
  });

  test('half is reserved for an address that has stored readings before', () => {
    store('sensor', 1);
    vi.advanceTimersByTime(MINUTE_MS);
    let others = 0;
    for (let i = 0; i < 100; i++) others += rate.takeRoom(`visitor ${i}`).ok ? 1 : 0;
    expect(others).toBe(10);
    expect(store('sensor')).toBe(10);
  });

  test('a part is reserved for an address from its first reading on', () => {
    store('sensor', 1);
    for (let i = 0; i < 100; i++) store(`visitor ${i}`);
    expect(store('sensor')).toBe(9);
  });

  test('addresses that have stored readings share that half', () => {
    store('sensor', 1);
    store('visitor', 1);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(store('visitor')).toBe(15);
    expect(store('sensor')).toBe(5);
  });

  test('many newer addresses do not displace one that keeps storing', () => {
    store('sensor', 1);
    for (let day = 0; day < 3; day++) {
      vi.advanceTimersByTime(DAY_MS);
      for (let i = 0; i < 200; i++) store(`visitor ${day} ${i}`);
      expect(store('sensor', 1)).toBe(1);
    }
  });

  test('an address that has stored nothing for a day is forgotten', () => {
    for (let i = 0; i < 50; i++) rate.rememberAddress(`visitor ${i}`);
    vi.advanceTimersByTime(DAY_MS + 1);
    store('sensor', 1);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(store('visitor 1')).toBe(10);
    expect(store('sensor')).toBe(10);
  });
});

describe('batches', () => {
  const FULL = { status: 429, headers: { 'Retry-After': '60' } };

  test('are stored whole or not at all', () => {
    expect(storeBatch('importer', 15)).toBeNull();
    expect(storeBatch('importer', 6)).toEqual(FULL);
    expect(storeBatch('importer', 5)).toBeNull();
    expect(storeBatch('importer', 1)).toEqual(FULL);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(storeBatch('importer', 20)).toBeNull();
  });

  test('with more readings than a minute allows get 413, since waiting would not help', () => {
    expect(storeBatch('importer', 21)).toEqual({ status: 413, headers: undefined });
    store('sensor', 1);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(rate.takeRoom('importer', 11)).toMatchObject({
      status: 413,
      detail: expect.stringContaining('at most 10 readings'),
    });
    expect(storeBatch('importer', 10)).toBeNull();
  });

  test('leave a known sensor its share, and return their room to its source', () => {
    store('sensor', 1);
    vi.advanceTimersByTime(MINUTE_MS);
    const room = rate.takeRoom('importer', 10);
    expect(rate.takeRoom('importer', 1)).toMatchObject({ status: 429 });
    expect(store('sensor', 4)).toBe(4);
    if (room.ok) room.giveBack(3);
    expect(rate.takeRoom('visitor', 4)).toMatchObject({ status: 429 });
    expect(rate.takeRoom('visitor', 3)).toMatchObject({ ok: true });
    expect(store('sensor')).toBe(6);
  });

  test('return nothing to a later minute', () => {
    const room = rate.takeRoom('importer', 20);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(store('other', 1)).toBe(1);
    if (room.ok) room.giveBack(20);
    expect(store('other')).toBe(19);
  });

  test('count each reading for their address, stored or not', () => {
    for (let i = 0; i < 3; i++) {
      expect(rate.refuseBusyAddress('visitor')).toBeNull();
      const room = rate.takeRoom('visitor', 6);
      if (room.ok) room.giveBack(6);
    }
    expect(rate.refuseBusyAddress('visitor')).toBeNull();
    expect(rate.takeRoom('visitor', 6)).toMatchObject({ status: 429 });
    expect(store('sensor')).toBe(20);
  });
});
