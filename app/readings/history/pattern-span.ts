import { DAY_MS } from '../time/durations';
import { type Span, unitAround } from '../time/history-span';
import type { PatternUnit } from './pattern-cells';

/** The most days of a pattern by hour. */
export const MOST_DAYS_BY_HOUR = 40;

/** The fewest days of a pattern. */
const LEAST_DAYS = 7;

/** The time that a span's pattern covers, in whole local days. */
export interface PatternSpan {
  span: Span;
  by: PatternUnit;
  /** True if the pattern covers more days than the span. */
  isLonger: boolean;
}

/** Returns the local days that a span's pattern covers: all days that overlap the span, and at least a week. */
export function patternOf({ from, to }: Span): PatternSpan {
  const [first, last] = [unitAround('day', new Date(from)), unitAround('day', new Date(to - 1))];
  // Days with a clock change are an hour longer or shorter.
  const days = Math.round((last.to - first.from) / DAY_MS);
  if (days > MOST_DAYS_BY_HOUR)
    return { span: { from: first.from, to: last.to }, by: 'day', isLonger: false };
  const start = new Date(first.from);
  start.setDate(start.getDate() - Math.max(0, LEAST_DAYS - days));
  return { span: { from: start.getTime(), to: last.to }, by: 'hour', isLonger: days < LEAST_DAYS };
}
