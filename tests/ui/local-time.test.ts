import { expect, test } from 'vitest';
import { formatLocalTime } from '../../app/ui/local-time';

test('shows times with 24 hours, as on all pages', () => {
  expect(formatLocalTime(new Date(2020, 0, 2, 15, 43, 57))).toBe('2 Jan 2020 15:43:57');
  const today = new Date();
  today.setHours(0, 3, 5);
  expect(formatLocalTime(today)).toBe('00:03:05');
  expect(formatLocalTime(new Date(2020, 0, 2, 0, 3, 5))).toMatch(/\b00:03:05$/);
});
