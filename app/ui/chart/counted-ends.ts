import { measuredSeconds, type StepAnswer } from '../../readings/history/history-answer';
import type { MetricField } from '../../readings/metric';
import { SLOT_SECONDS, slotOf } from '../../readings/roll-up/slot';

/** A step of a history with its start and end on the time axis, in milliseconds. */
export interface PlacedStep {
  start: number;
  end: number;
  step: StepAnswer | null;
}

/**
 * Returns the end of the time that the numbers count for a metric's values up to each step, in milliseconds (`slotSeconds`). Null before
 * the first value, and in the first slot of an answer that begins after that slot's first value.
 *
 * @param begin the time of the sensor's first reading, before which no time counts
 */
export function countedEnds(
  steps: readonly PlacedStep[],
  field: MetricField,
  stepMs: number,
  begin: number,
): (number | null)[] {
  let counted: number | null = null;
  return steps.map(({ end, step }) => {
    const values = step?.[field];
    if (!step || !values) return counted;
    const start = Date.parse(step.start);
    // The time of a slot belongs to the step of its first value.
    const from = stepMs < SLOT_SECONDS * 1000 ? slotStart(start) : start;
    const countedMs = measuredSeconds(values) * 1000;
    if (countedMs > 0) counted = Math.max(from, begin) + countedMs;
    counted = counted && Math.max(counted, end);
    return counted;
  });
}

/**
 * Returns true if the numbers don't count all time between `end` (as in `countedEnds`) and a later step. The time of a slot ends where
 * the next slot begins, and a step longer than a slot may begin with any of its slots.
 */
export function isUncounted(end: number | null | undefined, next: number, stepMs: number): boolean {
  return !!end && slotStart(next) - end > Math.max(0, stepMs - SLOT_SECONDS * 1000);
}

const slotStart = (ms: number) => slotOf(ms / 1000) * 1000;
