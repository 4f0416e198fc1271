import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// The settings are read at the first check. Empty values keep those of a `.env` file out.
Object.assign(process.env, { POSTS_PER_MINUTE: '3', WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });
const { refuseWrite } = await import('../../app/ingest/write-access.server');

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-02T10:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

const post = () => refuseWrite({ header: () => null });

test('refuses posts above the ceiling until Retry-After, even if the clock is set back', () => {
  expect([post(), post(), post()]).toEqual([null, null, null]);
  vi.advanceTimersByTime(20_500);
  const refusal = post();
  expect(refusal).toMatchObject({ status: 429, headers: { 'Retry-After': '40' } });

  vi.advanceTimersByTime(39_000);
  expect(post()).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
  vi.advanceTimersByTime(1000);
  expect([post(), post(), post(), post()?.status]).toEqual([null, null, null, 429]);

  vi.setSystemTime(Date.parse('2025-12-31T10:00:00Z'));
  expect(post()).toBeNull();
});
