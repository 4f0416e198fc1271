/**
 * Percentage change: (new - previous) / previous * 100, rounded to 2 decimals (specification, section 3).
 *
 * @returns percent, or null where there is no previous value or it is 0, because the quotient means nothing then
 */
export function percentageChange(value: number, previous: number | null | undefined): number | null {
  if (previous === null || previous === undefined || previous === 0) return null;
  const change = Math.round(((value - previous) / previous) * 10_000) / 100;
  return Number.isFinite(change) ? change + 0 : null;
}

/** The change as a tile shows it: `+12.34%`, `-5.00%`, `0.00%`, and a dash where there is none. */
export function formatChange(change: number | null): string {
  if (change === null) return '–';
  return `${change > 0 ? '+' : ''}${change.toFixed(2)}%`;
}
