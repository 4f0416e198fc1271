import type { Span } from '../../../readings/time/history-span';

/** Room for a day in 2 minutes (720) and a month in hours (745). */
const POINTS = 750;
/** On a narrow screen, for a month in 2 hours (373). Of a year, days (367) are easier to follow than days and nights. */
const FEW_POINTS = 375;

/** As a query, which is answered without a layout of the page. */
const WIDE = '(min-width: 600px)';
const LONG_MS = 200 * 86_400_000;

/** Returns the most points that a chart of a span draws. */
export function chartPoints({ from, to }: Span): number {
  return to - from > LONG_MS || !window.matchMedia(WIDE).matches ? FEW_POINTS : POINTS;
}
