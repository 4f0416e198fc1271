import { METRICS, type MetricField } from '../metric';
import { storedMicros } from '../time/stored-time';
import type { AirRules, SensorAir } from './air-state';

/** The limits of a metric, in the order of `SensorAir.pending`. */
export const LIMITS = ['good', 'moderate'] as const;
export type Limit = (typeof LIMITS)[number];

/** A level is left when the values stay below this share of its limit, so that one at the limit doesn't flap. */
export const CLEAR_SHARE = 0.95;

export type Values = Record<MetricField, number | null>;
/** The values after a reading, and when they were measured. */
export type KnownValues = Pick<SensorAir, 'co2' | 'voc' | 'measuredAt'>;

/** Tells whether a value is at its limit or above. The other metrics, or their absence, change nothing about that. */
function isBeyond(values: Values, limit: Limit, rules: AirRules): boolean {
  return METRICS.some(({ field }) => isMetricBeyond(values, field, limit, rules));
}

function isMetricBeyond(values: Values, field: MetricField, limit: Limit, { thresholds }: AirRules): boolean {
  const value = values[field];
  return value !== null && value >= thresholds[field][limit];
}

/** Tells whether every known value is below the clear value of its limit. */
export function isClear(values: Values, limit: Limit, { thresholds }: AirRules): boolean {
  return METRICS.every(({ field }) => {
    const value = values[field];
    return value === null || value < thresholds[field][limit] * CLEAR_SHARE;
  });
}

/** Returns the metrics that a reading has a value of at the limit or above. */
export function measuredBeyond(known: KnownValues, at: string, limit: Limit, rules: AirRules): MetricField[] {
  return METRICS.map(({ field }) => field).filter(
    (field) => known.measuredAt[field] === at && isMetricBeyond(known, field, limit, rules),
  );
}

/**
 * Returns the start of the run beyond a limit after a reading, null for no run. A value that only stands neither begins a
 * run nor ends it, and leads from one metric to another one only if it was measured by the reading before.
 */
export function runBeyond(
  start: string | null,
  before: SensorAir,
  known: KnownValues,
  at: string,
  limit: Limit,
  rules: AirRules,
): string | null {
  const measured = measuredBeyond(known, at, limit, rules);
  if (measured.length === 0) return isBeyond(known, limit, rules) ? start : null;
  const isContinued =
    measured.some((field) => isMetricBeyond(before, field, limit, rules)) ||
    measuredBeyond(before, before.newest, limit, rules).length > 0;
  return isContinued ? (start ?? at) : at;
}

/** Tells whether each value that was measured in a run below the clear values was measured when that was long enough, too. */
export function isClearMeasured({ measuredAt }: KnownValues, start: string, { afterMs }: AirRules): boolean {
  const startTime = storedMicros(start);
  return METRICS.every(({ field }) => {
    const at = measuredAt[field];
    const time = at === null ? Number.POSITIVE_INFINITY : storedMicros(at);
    return time < startTime || time - startTime >= afterMs * 1000;
  });
}
