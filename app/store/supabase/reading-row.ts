import type { RawValues } from '../../readings/correction';
import { byMetric, METRICS } from '../../readings/metric';
import { type Reading, UNNAMED } from '../../readings/reading';
import { formatReadingTime, parseReadingTime } from '../../readings/time/reading-time';

/**
 * Converts a row of the hosted table to a reading: numbers from text, the time in UTC with `Z`, and the sensor only if
 * it has a name.
 *
 * @param row any value from the network; a project with older migrations has no `sensor`, or fewer metrics
 * @returns null if it isn't a reading, because it has no id, time or metric, or a value isn't finite
 */
export function readingOf(row: unknown): Reading | null {
  const { id, created_at, sensor = UNNAMED, raw, ...columns } = (row ?? {}) as Record<string, unknown>;
  const [numericId, time] = [toNumber(id), exactUtc(created_at)];
  if (numericId === null || !Number.isSafeInteger(numericId) || time === null) return null;
  if (typeof sensor !== 'string') return null;
  const values = byMetric(({ field }) => toMetric(columns[field] ?? null));
  const measured = Object.values(values).filter((value) => value !== null);
  if (measured.length === 0 || measured.some(Number.isNaN)) return null;
  const reading: Reading = { id: numericId, ...values, created_at: time };
  if (sensor !== UNNAMED) reading.sensor = sensor;
  if (typeof raw === 'object' && raw !== null) reading.raw = rawValues(raw as Record<string, unknown>);
  return reading;
}

function rawValues(row: Record<string, unknown>): RawValues {
  const values = METRICS.flatMap(({ field }) => {
    const value = toNumber(row[field]);
    return value === null ? [] : [[field, value] as const];
  });
  return Object.fromEntries(values);
}

/**
 * Converts a Postgres timestamp, such as `2026-01-02T01:04:05.123456+00:00` or `2026-01-02 01:04:05.1+00`, to a
 * reading's time without losing precision.
 *
 * @returns null if it isn't a point in time, such as `infinity`
 */
export function exactUtc(timestamp: unknown): string | null {
  const time = typeof timestamp === 'string' ? parseReadingTime(timestamp) : null;
  return time === null ? null : formatReadingTime(time);
}

/** Like `exactUtc`, but returns anything that isn't a point in time unchanged. */
export const readableUtc = (timestamp: string): string => exactUtc(timestamp) ?? timestamp;

/** Returns the value of a metric, null if it isn't measured, or NaN if it isn't a finite number. */
function toMetric(value: unknown): number | null {
  return value === null ? null : (toNumber(value) ?? Number.NaN);
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
