import type { Reading } from '../../readings/reading';

const TIMESTAMP = /^(\d{4,}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * A Postgres timestamp as ISO 8601 in UTC with `Z`, with every digit it came with: Postgres counts
 * microseconds, and writes its zone in more than one way.
 *
 * @param text `2026-01-02T01:04:05.123456+00:00`, `2026-01-02 01:04:05.1+00` and the like; without a zone, UTC
 * @returns null where it is not a moment (`infinity`, say)
 */
export function exactUtc(text: string): string | null {
  const [, date, time, fraction = '', zone = 'Z'] = TIMESTAMP.exec(text) ?? [];
  const seconds = Date.parse(`${date}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.toUpperCase()}`);
  if (Number.isNaN(seconds)) return null;
  return new Date(seconds).toISOString().replace('000Z', `${fraction.padEnd(3, '0')}Z`);
}

/**
 * A row of the hosted table as a reading: numbers where they came as text, the time in UTC with exactly
 * milliseconds.
 *
 * @param row anything, as it came over the network
 * @returns null where it is no reading: members missing, or a value that is not finite
 */
export function readingOf(row: unknown): Reading | null {
  const { id, co2, voc, created_at } = (row ?? {}) as Record<string, unknown>;
  const [number, co2Value, vocValue] = [numberOf(id), numberOf(co2), numberOf(voc)];
  const time = typeof created_at === 'string' ? exactUtc(created_at) : null;
  if (number === null || !Number.isSafeInteger(number) || time === null) return null;
  if (co2Value === null || vocValue === null) return null;
  // Cut, not rounded: a reading never moves into the next millisecond, and so never past another one.
  return { id: number, co2: co2Value, voc: vocValue, created_at: time.replace(/(\.\d{3})\d*Z$/, '$1Z') };
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
