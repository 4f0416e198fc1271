import { at } from '../at';
import { type ByMetric, METRICS } from '../metric';
import { lowerMedian } from '../quantiles';
import type { MetricValues, Reading } from '../reading';

/**
 * A time without readings: from `created_at` of the last reading before it to `created_at` of the first reading after
 * it, if known.
 */
export interface Gap {
  from: string;
  to: string;
  /**
   * The step length in milliseconds, if `from` or `to` is the bound of a step or of the known history instead of a
   * reading's time. The real gap is then longer. Undefined if both are exact.
   */
  withinMs?: number;
}

/** A gap with its start and end on a chart's time axis, in the axis's unit. */
export interface PlacedGap {
  start: number;
  end: number;
  gap: Gap;
}

/** Readings are missing if two neighbours are more than this many usual intervals apart. */
const GAP_INTERVALS = 3;

/** A shorter interval is jitter of a fast sender, not a gap. */
const MIN_GAP_MS = 1000;

/**
 * An interval is compared with this many neighbours on each side. A changed interval counts as usual after five in a
 * row, or three at either end.
 */
const NEIGHBOURS = 4;

/**
 * The number of readings that `findGaps` needs before the first one of interest, so that this one has all its
 * neighbours.
 */
export const GAP_LOOKBACK = 2 * NEIGHBOURS;

/** Finds the gaps between readings (oldest first): for each one, true if there is a gap right before it. */
export function findGaps(readings: readonly (Pick<Reading, 'created_at'> & MetricValues)[]): boolean[] {
  return findGapsAt(
    readings.map(({ created_at }) => Date.parse(created_at)),
    readings,
  );
}

/**
 * Finds the gaps between readings or steps. If a sensor sends each metric in a reading of its own, the pause after the last
 * one is a gap only if it is one of a metric's own values too.
 *
 * @param times milliseconds, oldest first
 * @param rows the values at these times; null for the end of a span, where any metric may be
 * @returns for each row, true if there is a gap right before it
 */
export function findGapsAt(times: readonly number[], rows: readonly (ByMetric<unknown> | null)[]): boolean[] {
  const gaps = findGapsBetween(times);
  if (!gaps.includes(true)) return gaps;
  const ofMetrics = METRICS.map(({ field }) =>
    rows.flatMap((row, i) => (!row || (row[field] ?? null) !== null ? [i] : [])),
  );
  if (ofMetrics.some(({ length }) => length === rows.length)) return gaps;
  const ofOwn = new Set(ofMetrics.flatMap((measured) => gapsOfMetric(measured, times)));
  return gaps.map((isGap, i) => isGap && ofOwn.has(i));
}

/** Returns the indices of the rows before which a metric has a gap that isn't much longer than the pause there. */
function gapsOfMetric(measured: readonly number[], times: readonly number[]): number[] {
  const isGap = findGapsBetween(measured.map((i) => at(times, i)));
  return measured.flatMap((next, n) => {
    if (!isGap[n]) return [];
    const before = at(measured, n - 1);
    const half = (at(times, next) - at(times, before)) / 2;
    const rows = Array.from({ length: next - before }, (_, i) => before + 1 + i);
    return rows.filter((i) => at(times, i) - at(times, i - 1) >= half);
  });
}

/**
 * Finds the gaps between times in milliseconds, oldest first. An interval is a gap if it is too long compared with every window of intervals
 * around it. A sensor that becomes slower or faster therefore shows no gap at the change.
 */
export function findGapsBetween(times: readonly number[]): boolean[] {
  const intervals = times.slice(1).map((time, i) => time - at(times, i));
  // Cached, because computing every window's median for each reading would dominate the cost of an update.
  const usual = new Map<number, number>();
  const usualAround = (center: number) => {
    const known = usual.get(center) ?? lowerMedian(around(intervals, center)) ?? 0;
    usual.set(center, known);
    return known;
  };
  const isGap = (interval: number, i: number) => {
    if (interval <= MIN_GAP_MS) return false;
    const limit = interval / GAP_INTERVALS;
    if (Math.min(...around(intervals, i)) >= limit) return false;
    for (let center = Math.max(0, i - NEIGHBOURS); center <= i + NEIGHBOURS; center++) {
      if (center < intervals.length && usualAround(center) >= limit) return false;
    }
    return true;
  };
  return [false, ...intervals.map(isGap)].slice(0, times.length);
}

/** Returns an interval with its neighbours. */
function around(intervals: readonly number[], center: number): readonly number[] {
  return intervals.slice(Math.max(0, center - NEIGHBOURS), center + NEIGHBOURS + 1);
}
