import { boundsOf, countedLevel } from '../level/level';
import { METRICS, type Thresholds } from '../metric';
import { type RollUp, roundedAverageOf } from './roll-up';

/** Time in a level is counted in slots of five minutes, the first of which began with 1970. */
export const SLOT_SECONDS = 300;

/** A slot, or a step of a chart, with this many values is one of a sensor that posts often: empty ones beside it are silence. */
export const DENSE_FROM = 3;

/** A slot counts no longer than until a next one that begins this much later: right for a reading an hour. */
export const LONGEST_SECONDS = 3900;

/** A pause may be this many times as long as the one before it. A longer one is an outage. */
const PAUSE_GROWTH = 3;

/** Returns the beginning of the slot that a time lies in, in seconds since 1970. */
export function slotOf(seconds: number): number {
  return Math.floor(seconds / SLOT_SECONDS) * SLOT_SECONDS;
}

/**
 * Returns how long a slot counts as of its level, which is that of the average of its values. It is a slot's own five
 * minutes; one with a value or two stands for the pause up to the next slot, unless that is an outage. Slots without
 * values are not counted as of any level. docs/history.md has the rule.
 *
 * @param values how many values of the metric the slot has
 * @param before the seconds since the beginning of the slot before it that has a value; `Infinity` if there is none
 * @param after the seconds until the beginning of the next one; `Infinity` if there is none
 */
export function slotSeconds(values: number, before: number, after: number): number {
  const isPause = values < DENSE_FROM && after <= Math.min(LONGEST_SECONDS, PAUSE_GROWTH * before);
  return isPause ? after : SLOT_SECONDS;
}

/**
 * Sets how long each slot counts as of its level.
 *
 * @param slots of one sensor, oldest first. The first and the last ones need those around them, `LONGEST_SECONDS` far.
 */
export function levelSlots(slots: readonly RollUp[], thresholds: Thresholds): void {
  for (const metric of METRICS) {
    const { field } = metric;
    const bounds = boundsOf(metric, thresholds);
    let before = Number.POSITIVE_INFINITY;
    let last: RollUp | undefined;
    const count = (after: number) => {
      const totals = last?.[field];
      if (!totals) return;
      const level = countedLevel(roundedAverageOf(totals), bounds);
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
