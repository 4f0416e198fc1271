import { levelOf } from '../../../app/readings/level/level';
import { METRICS, type MetricField, type Thresholds } from '../../../app/readings/metric';
import type { Reading } from '../../../app/readings/reading';
import {
  type MetricTotals,
  mergeTotals,
  type RollUp,
  roundedAverageOf,
  type Steps,
  stepStart,
  totalsOf,
} from '../../../app/readings/roll-up/roll-up';
import { slotOf, slotSeconds } from '../../../app/readings/roll-up/slot';

/**
 * Computes the roll-ups of readings from nothing else. The roll-ups that a store keeps have to be the same.
 *
 * @param readings of one sensor, oldest first. Times in level need the slots around each one, `LONGEST_SECONDS` far.
 */
export function rollUpReadings(
  readings: readonly Reading[],
  grouping: Steps,
  thresholds: Thresholds,
): RollUp[] {
  const steps = new Map<number, RollUp>();
  for (const reading of readings) {
    const start = stepStart(timeOf(reading), grouping);
    const known = steps.get(start) ?? { start, readings: 0, co2: null, voc: null };
    const { co2, voc } = reading;
    steps.set(start, {
      start,
      readings: known.readings + 1,
      co2: mergeTotals(known.co2, totalsOf(co2)),
      voc: mergeTotals(known.voc, totalsOf(voc)),
    });
  }
  for (const { field } of METRICS) addLevels(steps, readings, grouping, field, thresholds);
  return [...steps.values()];
}

/** Adds the time in level of each slot to the step of its first value. */
function addLevels(
  steps: ReadonlyMap<number, RollUp>,
  readings: readonly Reading[],
  grouping: Steps,
  field: MetricField,
  thresholds: Thresholds,
): void {
  const slots = new Map<number, { first: number; totals: MetricTotals }>();
  for (const reading of readings) {
    const totals = totalsOf(reading[field]);
    if (!totals) continue;
    const time = timeOf(reading);
    const known = slots.get(slotOf(time));
    slots.set(
      slotOf(time),
      known
        ? { ...known, totals: mergeTotals(known.totals, totals) as MetricTotals }
        : { first: time, totals },
    );
  }
  const starts = [...slots.keys()];
  for (const [i, start] of starts.entries()) {
    const { first, totals: slot } = slots.get(start) as { first: number; totals: MetricTotals };
    const before = start - (starts[i - 1] ?? Number.NEGATIVE_INFINITY);
    const after = (starts[i + 1] ?? Number.POSITIVE_INFINITY) - start;
    const totals = steps.get(stepStart(first, grouping))?.[field];
    if (totals)
      totals.seconds[levelOf(roundedAverageOf(slot), thresholds[field])] += slotSeconds(
        slot.values,
        before,
        after,
      );
  }
}

const timeOf = ({ created_at }: Reading): number => Math.floor(Date.parse(created_at) / 1000);
