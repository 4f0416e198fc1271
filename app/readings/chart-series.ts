import type { Range } from './range';
import type { Reading, ReadingInput } from './reading';
import { findGaps } from './sampling-interval';

/** What became of one metric of the readings behind a point. */
export interface Summary {
  average: number;
  lowest: number;
  highest: number;
}

/** One point of the chart: a reading, or the average of a group of neighbouring readings. */
export interface ChartPoint {
  /** Local time of the first reading behind it, `hour:minute:second` without padding. */
  label: string;
  /** `created_at` of the first and the last reading behind it. */
  from: string;
  to: string;
  /** How many readings are behind it. */
  readings: number;
  co2: Summary;
  voc: Summary;
  /** From when to when readings are missing between the point before and this one: no line may join them. */
  gapBefore: { from: string; to: string } | null;
}

/** Averaging starts above this many readings (specification, section 9). */
const AVERAGE_ABOVE = 40;

/**
 * The chart rule of the specification, section 9: only the last `maxPoints` readings are used; when more
 * than 40 readings exist, they are averaged in groups of the range's interval, oldest group first, and
 * one time label a group is kept. The newest group may be short.
 *
 * @param readings oldest first
 * @param range which preset
 * @param existing how many readings exist, where that is more than are given here
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
      // A point stands at its first reading, so the line that leads to it spans the group before it. A gap
      // inside the newest group has no line after it to break, and breaks the one before.
      gapBefore: start > 0 ? gapIn(used, gaps, start - size + 1, isNewest ? used.length - 1 : start) : null,
    });
  }
  return points;
}

/** The first gap that ends at one of the readings from `first` to `last`. */
function gapIn(readings: readonly Reading[], gaps: readonly boolean[], first: number, last: number) {
  const end = gaps.findIndex((isGap, i) => isGap && i >= first && i <= last);
  if (end < 1) return null;
  return {
    from: (readings[end - 1] as Reading).created_at,
    to: (readings[end] as Reading).created_at,
  };
}

/** The moment in the local time zone as `hour:minute:second`, without padding (specification, section 9). */
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
  // Two of the largest finite numbers add up to Infinity: divide first, at the price of rounding.
  return values.reduce((total, value) => total + value / values.length, 0);
}
