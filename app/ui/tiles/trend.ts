import { at } from '../../readings/at';
import type { MetricField } from '../../readings/metric';
import { isAfterSilence, msBetween } from '../../readings/now/stale';
import type { Reading } from '../../readings/reading';

export type Trend = 'rising' | 'falling' | 'steady';

const TREND_MS = 600_000;

/** A slope counts if it is this many times its standard error: noise alone reaches that in 3 of 1000 cases. */
const STANDARD_ERRORS = 3;

/** A change counts from this share of the good threshold: 20 PPM of CO2. */
const LEAST_CHANGE = 0.02;

/** Few readings say little about their noise, so they need a larger change. */
const FEW_READINGS = 5;
const LEAST_CHANGE_OF_FEW = 0.05;

/**
 * Returns the trend of a metric in the 10 minutes before the newest reading, by least squares. Readings before a silence
 * don't count.
 *
 * @param readings oldest first
 * @param good the good threshold, by which the size of a change is judged
 */
export function trendOf(readings: readonly Reading[], field: MetricField, good: number): Trend {
  const points = latestPoints(readings, field);
  const { length } = points;
  const mean = { x: average(points.map(({ x }) => x)), y: average(points.map(({ y }) => y)) };
  const deviations = points.map(({ x, y }) => ({ x: x - mean.x, y: y - mean.y }));
  const spread = sum(deviations.map(({ x }) => x * x));
  // Fewer than two readings, or all of the same millisecond.
  if (!(spread > 0)) return 'steady';
  const slope = sum(deviations.map(({ x, y }) => x * y)) / spread;
  const residual = sum(deviations.map(({ x, y }) => (y - slope * x) ** 2));
  const standardError = length > 2 ? Math.sqrt(residual / (length - 2) / spread) : 0;
  const change = Math.abs(slope * ((points[0]?.x ?? 0) - (points.at(-1)?.x ?? 0)));
  const least = (length < FEW_READINGS ? LEAST_CHANGE_OF_FEW : LEAST_CHANGE) * good;
  // Huge values overflow to NaN, which is no trend either.
  if (!(change >= least && Math.abs(slope) > STANDARD_ERRORS * standardError)) return 'steady';
  return slope > 0 ? 'rising' : 'falling';
}

/** Returns the values of the last 10 minutes without a silence between them, newest first; `x` in milliseconds. */
function latestPoints(readings: readonly Reading[], field: MetricField): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = [];
  const newest = readings.at(-1);
  for (let i = readings.length - 1; newest && i >= 0; i--) {
    const reading = at(readings, i);
    const x = msBetween(newest, reading);
    if (-x > TREND_MS) break;
    const y = reading[field];
    if (y !== null) points.push({ x, y });
    if (isAfterSilence(readings, i)) break;
  }
  return points;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function average(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}
