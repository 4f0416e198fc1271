import { expect, test } from 'vitest';
import { compareReadings } from '../../app/readings/reading';
import { reading } from '../support/readings/readings';

test('readings are ordered by time, then by id', () => {
  const at = (id: number, created_at: string) => reading(id, { created_at });
  const oldest = at(9, '2025-12-31T23:59:59.999Z');
  const first = at(3, '2026-01-01T00:00:00.000Z');
  const second = at(10, '2026-01-01T00:00:00.000Z');
  const newest = at(1, '2026-01-01T00:00:00.001Z');
  expect([newest, second, first, oldest].sort(compareReadings)).toEqual([oldest, first, second, newest]);
  expect(compareReadings(first, { ...first })).toBe(0);
});
