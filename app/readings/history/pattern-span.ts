import { DAY_MS } from '../time/durations';
import { type Span, unitAround } from '../time/history-span';
import type { PatternUnit } from './pattern-cells';

/** A pattern by hours has at most this many days. */
export const MOST_DAYS_BY_HOUR = 40;

/** A pattern has at least a week. */
const LEAST_DAYS = 7;

/** The local days for which a span's pattern is shown. */
export interface PatternSpan {
  span: Span;
  by: PatternUnit;
  /** True if there are more of them than the span touches. */
  isLonger: boolean;
}

/** Returns the local days for which a span's pattern is shown: those that it touches, and a week for a shorter one. */
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
