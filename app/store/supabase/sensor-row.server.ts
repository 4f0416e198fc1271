import { type SensorSummary, sensorOf } from '../../readings/reading';
import { exactUtc, readingOf } from './reading-row';

/**
 * Converts a row of the function `sensors`: the newest reading of a sensor, and as `first_heard` the time of its first.
 *
 * @returns null if it isn't such a row
 */
export function sensorSummaryOf(row: unknown): SensorSummary | null {
  const newest = readingOf(row);
  const first_heard = exactUtc((row as { first_heard?: unknown } | null)?.first_heard);
  if (!newest || first_heard === null) return null;
  return { name: sensorOf(newest), newest, first_heard, last_heard: newest.created_at };
}
