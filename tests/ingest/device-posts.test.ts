import { beforeEach, expect, test, vi } from 'vitest';
import { hasDevicePosted, noteDevicePost } from '../../app/ingest/device-posts.server';

const DAY_MS = 24 * 60 * 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(2 * DAY_MS);
});

const note = (headers: Record<string, string>) => noteDevicePost((name) => new Headers(headers).get(name));

test.each<Record<string, string>>([
  { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://localhost:3000' },
  { Origin: 'http://board.local:3000' },
  { 'Sec-Fetch-Site': 'none' },
])('attributes a post with %j to a browser', (headers) => {
  note(headers);
  expect(hasDevicePosted()).toBe(false);
});

test('remembers for a day that a device has posted', () => {
  note({ 'User-Agent': 'ESP32HTTPClient' });
  vi.advanceTimersByTime(DAY_MS - 1);
  expect(hasDevicePosted()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(hasDevicePosted()).toBe(false);
});
