import { expect, test } from 'vitest';
import { formatLocalTime } from '../../app/ui/local-time';

test('shows times with 24 hours, as on all pages', () => {
  expect(formatLocalTime(new Date(2020, 0, 2, 15, 43, 57))).toContain('15:43:57');
  expect(formatLocalTime(new Date(2020, 0, 2, 0, 3, 5))).toMatch(/\b00:03:05$/);
});
