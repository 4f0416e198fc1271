import type { MetricTotals, RollUp } from '../../readings/roll-up/roll-up';

/**
 * Converts a step of the function `history`.
 *
 * @param row anything that came over the network
 * @returns null if it isn't such a step
 */
export function rollUpOf(row: unknown): RollUp | null {
  const { start, readings, co2, voc } = membersOf(row);
  const rollUp = {
    start: toNumber(start),
    readings: toNumber(readings),
    co2: totalsOf(co2),
    voc: totalsOf(voc),
  };
  return isComplete(rollUp) ? rollUp : null;
}

function totalsOf(totals: unknown): MetricTotals | null {
  if (totals === null) return null;
  const { values, sum, lowest, highest, seconds } = membersOf(totals);
  const { good, moderate, poor } = membersOf(seconds);
  return {
    values: toNumber(values),
    // The sum of the largest numbers: JSON has no infinity.
    sum: sum === null ? Number.POSITIVE_INFINITY : toNumber(sum),
    lowest: toNumber(lowest),
    highest: toNumber(highest),
    seconds: { good: toNumber(good), moderate: toNumber(moderate), poor: toNumber(poor) },
  };
}

const membersOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;

/** The sum of the largest numbers is infinite, and large numbers may be text. */
const toNumber = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;

/** Tells whether no number is missing. */
function isComplete(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.values(value).every(isComplete);
  return !Number.isNaN(value);
}
