import { beforeEach, expect, test, vi } from 'vitest';

const KEY = 'correct-horse-battery';
// The settings are read at the first check. Empty values override those of a `.env` file.
Object.assign(process.env, {
  WRITE_KEY: KEY,
  ...{ POSTS_PER_MINUTE: '0', ALLOWED_ORIGINS: '', SUPABASE_URL: '' },
});
const { refuseWrite } = await import('../../app/ingest/write-access.server');

/** A new address for every test. */
let address = 0;

beforeEach(() => {
  vi.useFakeTimers();
  address += 1;
});

/** Posts with or without a key. Returns the status and `Retry-After` of the refusal; undefined if it may write. */
function post(key: string | null, from = `192.0.2.${address}`) {
  return postWith(key === null ? null : `Bearer ${key}`, from);
}

function postWith(authorization: string | null, from = `192.0.2.${address}`) {
  const header = (name: string) => (name === 'authorization' ? authorization : null);
  const refusal = refuseWrite({ header, address: () => from });
  return refusal ? [refusal.status, refusal.headers?.['Retry-After']] : undefined;
}

const WRONG = [401, undefined];

test('after five wrong keys, refuses the sixth for 1 s, then for 2 s, 4 s and so on up to 60 s', () => {
  for (let i = 0; i < 4; i++) expect(post('guess')).toEqual(WRONG);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
    expect(post('guess')).toEqual(WRONG);
    expect(post('guess')).toEqual([429, String(seconds)]);
    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(post('guess')).toEqual([429, '1']);
    vi.advanceTimersByTime(1);
  }
});

test('the right key is accepted while wrong ones from its address have to wait', () => {
  for (let i = 0; i < 5; i++) post('guess');
  for (let i = 0; i < 40; i++) {
    expect(post('guess')).toEqual([429, '1']);
    expect(post(KEY)).toBeUndefined();
  }
});

test('the wait does not apply to other addresses, and ignores clock changes', () => {
  for (let i = 0; i < 5; i++) post('guess');
  expect(post('guess', '198.51.100.1')).toEqual(WRONG);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(post('guess')).toEqual([429, '1']);
});

test('an hour without a wrong key resets the count, the right key does not', () => {
  for (let i = 0; i < 4; i++) {
    expect(post('guess')).toEqual(WRONG);
    expect(post(KEY)).toBeUndefined();
  }
  expect(post('guess')).toEqual(WRONG);
  expect(post(KEY)).toBeUndefined();
  expect(post('guess')).toEqual([429, '1']);
  vi.advanceTimersByTime(3_600_000);
  for (let i = 0; i < 5; i++) expect(post('guess')).toEqual(WRONG);
});

test('a post without a key does not count as a wrong one', () => {
  for (let i = 0; i < 40; i++) expect(post(null)).toEqual(WRONG);
  expect(post('guess')).toEqual(WRONG);
});

test('a wrong password of Basic authentication counts as a wrong key', () => {
  const basic = (key: string) => postWith(`Basic ${Buffer.from(`airboard:${key}`).toString('base64')}`);
  for (let i = 0; i < 5; i++) expect(basic('guess')).toEqual(WRONG);
  expect(basic('guess')).toEqual([429, '1']);
  expect(post('guess')).toEqual([429, '1']);
  expect(basic(KEY)).toBeUndefined();
});
