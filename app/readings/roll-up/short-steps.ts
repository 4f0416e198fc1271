import { type ByMetric, CO2, isFaulty, METRICS, type MetricField } from '../metric';
import { type RollUp, totalsOf } from './roll-up';

/**
 * Returns a function that returns the roll-up of a single reading, for steps that are shorter than a slot. Call it for the readings
 * in order. A slot's seconds count only with its first value of a metric.
 */
export function singleRollUps() {
  /** The last slot whose seconds were counted, by metric. */
  const counted: ByMetric<number> = { co2: null, voc: null };

  function totalsIn(slot: RollUp | undefined, field: MetricField, value: number) {
    const totals = totalsOf(value);
    const levelled = slot?.[field];
    if (!slot || !levelled || counted[field] === slot.start) return totals;
    counted[field] = slot.start;
    return { ...totals, seconds: levelled.seconds };
  }

  return (second: number, values: Partial<ByMetric<number>>, slot: RollUp | undefined): RollUp => {
    const single: RollUp = { start: second, readings: 1, co2: null, voc: null };
    for (const metric of METRICS) {
      const { field } = metric;
      const value = values[field] ?? null;
      if (value === null) continue;
      if (!isFaulty(value, metric)) single[field] = totalsIn(slot, field, value);
      else if (field === CO2.field) single.co2_faults = totalsOf(value);
    }
    return single;
  };
}
