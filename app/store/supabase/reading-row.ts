import { type Reading, UNNAMED } from '../../readings/reading';
import { parseReadingTime } from '../../readings/time/reading-time';
import { formatReadingTime } from '../../readings/time/stored-time';

/**
 * Converts a row of the hosted table to a reading: numbers from text, the time in UTC with `Z`, and the sensor only if
 * it has a name.
 *
 * @param row anything that came over the network; a table without the migration of sensors has no `sensor`
 * @returns null if it isn't a reading: a member is missing, or a value isn't finite
 */
export function readingOf(row: unknown): Reading | null {
  const { id, co2, voc, created_at, sensor = UNNAMED } = (row ?? {}) as Record<string, unknown>;
  const [numericId, time] = [toNumber(id), exactUtc(created_at)];
  const [co2Value, vocValue] = [toMetric(co2), toMetric(voc)];
  if (numericId === null || !Number.isSafeInteger(numericId) || time === null) return null;
  if (co2Value === undefined || vocValue === undefined || (co2Value ?? vocValue) === null) return null;
  if (typeof sensor !== 'string') return null;
  const reading: Reading = { id: numericId, co2: co2Value, voc: vocValue, created_at: time };
  if (sensor !== UNNAMED) reading.sensor = sensor;
  return reading;
}

/**
 * Converts a Postgres timestamp, such as `2026-01-02T01:04:05.123456+00:00` or `2026-01-02 01:04:05.1+00`, to the time
 * of a reading, with every digit.
 *
 * @returns null if it isn't a point in time, such as `infinity`
 */
export function exactUtc(timestamp: unknown): string | null {
  const time = typeof timestamp === 'string' ? parseReadingTime(timestamp) : null;
  return time === null ? null : formatReadingTime(time);
}

/** Returns the value of a metric, null if it isn't measured, or undefined if it isn't a finite number. */
function toMetric(value: unknown): number | null | undefined {
  return value === null ? null : (toNumber(value) ?? undefined);
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
