import type { Span } from '../../../readings/time/history-span';

/** Room for a day in 2 minutes (720), a month in hours (745) and two years in days. */
const POINTS = 750;
/** On a narrow screen, for a month in 2 hours (373). Of a year, days (367) are easier to follow than days and nights. */
const FEW_POINTS = 375;

/** As a query, which is answered without a layout of the page. */
const WIDE = '(min-width: 600px)';
const DAY_MS = 86_400_000;
const LONG_MS = 200 * DAY_MS;
/** A span with so many days has steps of days or weeks. */
const VERY_LONG_MS = FEW_POINTS * DAY_MS;

/** Returns the most points that a chart of a span draws. */
export function chartPoints({ from, to }: Span): number {
  if (to - from > VERY_LONG_MS) return POINTS;
  return to - from > LONG_MS || !window.matchMedia(WIDE).matches ? FEW_POINTS : POINTS;
}
