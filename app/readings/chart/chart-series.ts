import { at } from '../at';
import { type ByMetric, byMetric, type Metric } from '../metric';
import type { Reading } from '../reading';
import { findGaps, GAP_LOOKBACK, type Gap } from './gap';
import type { Range } from './range';

/** One metric of the readings behind a point. */
export interface Summary {
  average: number;
  lowest: number;
  highest: number;
}

/** One point of the chart: a reading, or the average of a group of neighbouring readings. */
export interface ChartPoint extends ByMetric<Summary> {
  /** The time of its first and last reading, or the beginning and the end of its step. */
  from: string;
  to: string;
  /** The number of readings in the group. */
  readings: number;
  /** The time without readings between this point and the one before, which no line may join; null if none. */
  gapBefore: Gap | null;
  /** A further line of its tooltip. */
  note?: string;
}

/** A point of the dashboard's chart. */
export interface SeriesPoint extends ChartPoint {
  /** Local time of its first reading, `hour:minute:second` without padding. */
  label: string;
}

/** Averaging starts above this many readings. */
const AVERAGE_ABOVE = 40;

/**
 * Returns the chart's points: only the last `maxPoints` readings are
 * used; if more than 40 readings exist, they are averaged in groups of the range's interval, oldest group first,
 * with one time label a group. The newest group may be short, and so may one before a gap: no group spans a gap.
 *
 * @param readings oldest first
 * @param existing how many readings exist, if that is more than are given
 */
export function chartSeries(
  readings: readonly Reading[],
  range: Range,
  existing: number = readings.length,
): SeriesPoint[] {
  const used = readings.slice(-range.maxPoints);
  const gaps = findGaps(readings.slice(-range.maxPoints - GAP_LOOKBACK)).slice(-range.maxPoints);
  const size = existing > AVERAGE_ABOVE ? range.interval : 1;
  const points: SeriesPoint[] = [];
  for (let start = 0, end = 0; start < used.length; start = end) {
    end = start + 1;
    while (end < used.length && end < start + size && !gaps[end]) end++;
    points.push(chartPoint(used.slice(start, end), start > 0 && gaps[start] ? used[start - 1] : undefined));
  }
  return points;
}

/** @param lastBefore the reading before the gap that this group follows */
function chartPoint(group: readonly Reading[], lastBefore: Reading | undefined): SeriesPoint {
  const { created_at } = at(group, 0);
  return {
    label: timeLabel(created_at),
    from: created_at,
    to: at(group, group.length - 1).created_at,
    readings: group.length,
    ...byMetric((metric) => summarize(group, metric)),
    gapBefore: lastBefore ? { from: lastBefore.created_at, to: created_at } : null,
  };
}

/** Formats a time in the local time zone as `hour:minute:second`, without padding. */
export function timeLabel(time: string | Date): string {
  const local = new Date(time);
  return `${local.getHours()}:${local.getMinutes()}:${local.getSeconds()}`;
}

function summarize(group: readonly Reading[], { field }: Metric): Summary | null {
  const values = group.flatMap((reading) => reading[field] ?? []);
  if (values.length === 0) return null;
  return { average: mean(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  // The sum of the largest finite numbers is Infinity: divide first, at the price of rounding.
  return values.reduce((total, value) => total + value / values.length, 0);
}
