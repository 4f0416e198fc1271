import { at } from '../at';
import { type ByMetric, byMetric, isCore, isFaulty, type Metric, type MetricField } from '../metric';
import type { Reading } from '../reading';
import { findGaps, GAP_LOOKBACK, type Gap } from './gap';
import type { Range } from './range';

/** One metric's values at a point. */
export interface Summary {
  average: number;
  lowest: number;
  highest: number;
}

/** One point of the chart: a reading, or the average of a group of neighbouring readings. */
export interface ChartPoint extends ByMetric<Summary> {
  /** The times of the first and last reading, or the start and end of the step. */
  from: string;
  to: string;
  /** The number of readings in the group. */
  readings: number;
  /** The gap between the previous point and this one, where the line breaks; null for no gap. */
  gapBefore: Gap | null;
  /** The metrics whose own line breaks before this point, if that is known. */
  breaks?: readonly MetricField[];
  /** An extra line for the tooltip. */
  note?: string;
}

/** A point of the dashboard's chart. */
export interface SeriesPoint extends ChartPoint {
  /** Local time of the first reading as `hour:minute:second`, without padding. */
  label: string;
}

/** Averaging starts above this many readings. */
const AVERAGE_ABOVE = 40;

/**
 * Returns the chart's points, oldest first, from the last `maxPoints` readings. If more than 40 readings exist, groups of
 * `range.interval` readings are averaged. No group spans a gap, so the group before a gap may be short, like the newest one.
 *
 * @param readings oldest first
 * @param existing the number of stored readings, if `readings` doesn't contain them all
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

/** @param lastBefore the last reading before the gap, if the group follows one */
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

function summarize(group: readonly Reading[], metric: Metric): Summary | null {
  const values = group.flatMap((reading) => drawnValue(reading, metric) ?? []);
  if (values.length === 0) return null;
  return { average: mean(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

/** Below this, a value is the mark of a faulty sensor, such as -1000, and none of a counter. */
const LEAST_DRAWN = -999;

/**
 * Returns the value to draw; null if it is missing or faulty. Faulty values of CO2 and VOC below their ranges are drawn, because
 * the counters and random readings of `/postdata` are such values.
 */
function drawnValue(reading: Reading, metric: Metric): number | null {
  const value = reading[metric.field] ?? null;
  if (value === null || !isFaulty(value, metric)) return value;
  return isCore(metric.field) && value >= LEAST_DRAWN && value < metric.plausible.from ? value : null;
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
