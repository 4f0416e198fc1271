import { METRICS } from '../../../readings/metric';
import type { MetricTotals, RollUp } from '../../../readings/roll-up/roll-up';

/** A row of the table `slots` or, with the seconds in each level, of `roll_ups`. */
export type RollUpRow = [start: number, readings: number, ...metrics: (number | null)[]];

/** Returns the roll-up of a row. A slot's seconds are 0. */
export function toRollUp(row: RollUpRow): RollUp {
  const columns = (row.length - 2) / METRICS.length;
  return {
    start: row[0],
    readings: row[1],
    co2: toTotals(row, 2, columns > 4),
    voc: toTotals(row, 2 + columns, columns > 4),
  };
}

function toTotals(row: RollUpRow, at: number, hasSeconds: boolean): MetricTotals | null {
  const number = (column: number) => row[at + column] as number;
  if (number(0) === 0) return null;
  return {
    values: number(0),
    // SQLite has no NaN: infinities that cancelled each other out are null.
    sum: row[at + 1] ?? Number.NaN,
    lowest: number(2),
    highest: number(3),
    seconds: hasSeconds
      ? { good: number(4), moderate: number(5), poor: number(6) }
      : { good: 0, moderate: 0, poor: 0 },
  };
}

/** Returns the columns of a roll-up, for `slots` without the seconds in each level. */
export function fromRollUp({ start, readings, co2, voc }: RollUp, hasSeconds: boolean): RollUpRow {
  return [start, readings, ...fromTotals(co2, hasSeconds), ...fromTotals(voc, hasSeconds)];
}

function fromTotals(totals: MetricTotals | null, hasSeconds: boolean): (number | null)[] {
  const { values = 0, sum = 0, lowest = null, highest = null, seconds } = totals ?? {};
  const row = [values, Number.isNaN(sum) ? null : sum, lowest, highest];
  return hasSeconds ? [...row, seconds?.good ?? 0, seconds?.moderate ?? 0, seconds?.poor ?? 0] : row;
}
