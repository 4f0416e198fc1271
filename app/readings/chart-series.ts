import { findGaps } from './gap';
import type { Range } from './range';
import type { Reading, ReadingInput } from './reading';

/** One metric of the readings behind a point. */
export interface Summary {
  average: number;
  lowest: number;
  highest: number;
}

/** One point of the chart: a reading, or the average of a group of neighbouring readings. */
export interface ChartPoint {
  /** Local time of its first reading, `hour:minute:second` without padding. */
  label: string;
  /** `created_at` of its first and last reading. */
  from: string;
  to: string;
  /** The number of readings in the group. */
  readings: number;
  co2: Summary;
  voc: Summary;
  /** The time without readings between this point and the one before, which no line may join; null if none. */
  gapBefore: { from: string; to: string } | null;
}

/** Averaging starts above this many readings (specification, section 9). */
const AVERAGE_ABOVE = 40;

/**
 * Returns the chart's points by the rule of the specification, section 9: only the last `maxPoints` readings are
 * used; if more than 40 readings exist, they are averaged in groups of the range's interval, oldest group first,
 * with one time label a group. The newest group may be short.
 *
 * @param readings oldest first
 * @param existing how many readings exist, if that is more than are given
 */
export function chartSeries(
  readings: readonly Reading[],
  range: Range,
  existing: number = readings.length,
): ChartPoint[] {
  const used = readings.slice(-range.maxPoints);
  const gaps = findGaps(used);
  const size = existing > AVERAGE_ABOVE ? range.interval : 1;
  const points: ChartPoint[] = [];
  for (let start = 0; start < used.length; start += size) {
    const group = used.slice(start, start + size);
    const first = group[0] as Reading;
    const isNewest = start + size >= used.length;
    points.push({
      label: timeLabel(first.created_at),
      from: first.created_at,
      to: (group.at(-1) as Reading).created_at,
      readings: group.length,
      co2: summarize(group, 'co2'),
      voc: summarize(group, 'voc'),
      // A point is drawn at its first reading, so the line to it spans the group before it. A gap inside the
      // newest group has no line after it to break, so it breaks the one before.
      gapBefore:
        start > 0 ? firstGap(used, gaps, start - size + 1, isNewest ? used.length - 1 : start) : null,
    });
  }
  return points;
}

/** Returns the first gap that ends at one of the readings from index `first` to `last`. */
function firstGap(readings: readonly Reading[], gaps: readonly boolean[], first: number, last: number) {
  const end = gaps.findIndex((isGap, i) => isGap && i >= first && i <= last);
  if (end < 1) return null;
  return {
    from: (readings[end - 1] as Reading).created_at,
    to: (readings[end] as Reading).created_at,
  };
}

/** Formats a time in the local time zone as `hour:minute:second`, without padding (specification, section 9). */
export function timeLabel(createdAt: string): string {
  const time = new Date(createdAt);
  return `${time.getHours()}:${time.getMinutes()}:${time.getSeconds()}`;
}

function summarize(group: readonly Reading[], field: keyof ReadingInput): Summary {
  const values = group.map((reading) => reading[field]);
  return { average: mean(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  // The sum of the largest finite numbers is Infinity: divide first, at the price of rounding.
  return values.reduce((total, value) => total + value / values.length, 0);
}
