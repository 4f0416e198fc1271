import type { Reading } from '../../readings/reading';

const TIMESTAMP = /^(\d{4,}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Converts a Postgres timestamp to ISO 8601 in UTC with `Z`, and keeps every digit: Postgres has microseconds, and
 * several ways to write the offset.
 *
 * @param text `2026-01-02T01:04:05.123456+00:00`, `2026-01-02 01:04:05.1+00` and the like; UTC without an offset
 * @returns null if it isn't a point in time, such as `infinity`
 */
export function exactUtc(text: string): string | null {
  const [, date, time, fraction = '', offset = 'Z'] = TIMESTAMP.exec(text) ?? [];
  const seconds = Date.parse(
    `${date}T${time}${/^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset.toUpperCase()}`,
  );
  if (Number.isNaN(seconds)) return null;
  return new Date(seconds).toISOString().replace('000Z', `${fraction.padEnd(3, '0')}Z`);
}

/**
 * Converts a row of the hosted table to a reading: numbers from text, the time in UTC with milliseconds.
 *
 * @param row anything that came over the network
 * @returns null if it isn't a reading: a member is missing, or a value isn't finite
 */
export function readingOf(row: unknown): Reading | null {
  const fields = (row ?? {}) as Record<string, unknown>;
  const [id, co2, voc] = [toNumber(fields.id), toNumber(fields.co2), toNumber(fields.voc)];
  const time = typeof fields.created_at === 'string' ? exactUtc(fields.created_at) : null;
  if (id === null || !Number.isSafeInteger(id) || co2 === null || voc === null || time === null) return null;
  // Cut, not rounded: rounding could move a reading past the next one.
  return { id, co2, voc, created_at: time.replace(/(\.\d{3})\d*Z$/, '$1Z') };
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
