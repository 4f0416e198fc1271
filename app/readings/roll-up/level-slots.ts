import { levelOf, type Thresholds } from '../level/level';
import { METRICS } from '../metric';
import { type RollUp, roundedAverageOf } from './roll-up';
import { slotSeconds } from './slot';

/**
 * Sets how long each slot counts as of its level (slot.ts).
 *
 * @param slots of one sensor, oldest first. The first and the last ones need those around them, `LONGEST_SECONDS` far.
 */
export function levelSlots(slots: readonly RollUp[], thresholds: Thresholds): void {
  for (const { field } of METRICS) {
    let before = Number.POSITIVE_INFINITY;
    let last: RollUp | undefined;
    const count = (after: number) => {
      const totals = last?.[field];
      if (!totals) return;
      const level = levelOf(roundedAverageOf(totals), thresholds[field]);
      totals.seconds[level] = slotSeconds(totals.values, before, after);
    };
    for (const slot of slots) {
      if (!slot[field]) continue;
      const after = last ? slot.start - last.start : Number.POSITIVE_INFINITY;
      count(after);
      before = after;
      last = slot;
    }
    count(Number.POSITIVE_INFINITY);
  }
}
