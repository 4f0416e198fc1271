import type { Reading, ReadingInput } from '../../app/readings/reading';

/** When the first of a test's readings was taken. */
export const START = Date.parse('2026-01-02T10:00:00.000Z');

/** A stored reading; what a test does not care about is filled in. */
export function reading(id: number, values: Partial<Omit<Reading, 'id'>> = {}): Reading {
  const created_at = new Date(START + id * 15_000).toISOString();
  return { id, co2: 400 + id, voc: 100 + id, created_at, ...values };
}

/** `count` readings, 15 s apart, ids from 1. */
export function readings(
  count: number,
  values: (i: number) => Partial<ReadingInput> = () => ({}),
): Reading[] {
  return Array.from({ length: count }, (_, i) => reading(i + 1, values(i)));
}
