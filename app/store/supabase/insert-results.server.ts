import type { InsertResult, ReadingRejectedError } from '../reading-store';
import { readingOf } from './reading-row';
import { type Project, rejection } from './supabase-errors.server';

const OUTCOMES = new Set<unknown>(['stored', 'duplicate', 'conflict'] satisfies InsertResult['outcome'][]);

/**
 * Converts what `insert_readings` returned for `count` readings.
 *
 * @returns null if it isn't such an array
 */
export function insertResults(
  data: unknown,
  count: number,
  project: Project,
): (InsertResult | ReadingRejectedError)[] | null {
  if (!Array.isArray(data) || data.length !== count) return null;
  const results = data.flatMap((item) => resultOf(item, project) ?? []);
  return results.length === count ? results : null;
}

function resultOf(item: unknown, project: Project): InsertResult | ReadingRejectedError | null {
  const { outcome, reason, reading: row } = (item ?? {}) as Record<string, unknown>;
  if (outcome === 'rejected') return rejection(String(reason), project);
  const reading = readingOf(row);
  return reading && OUTCOMES.has(outcome) ? { outcome: outcome as InsertResult['outcome'], reading } : null;
}
