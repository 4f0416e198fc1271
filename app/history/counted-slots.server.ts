import { LEVELS, type Level } from '../readings/level/level';
import type { MetricField } from '../readings/metric';
import type { RollUp } from '../readings/roll-up/roll-up';
import { LONGEST_SECONDS, SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import { type ReadSteps, readAll, type Steps } from './whole-steps.server';

/** A time in one level, in seconds since 1970: that of a slot. */
export interface LevelTime {
  level: Level;
  from: number;
  to: number;
}

/** Returns the time that a slot counts as of its level; null if it has no value of the metric. */
export function levelTimeOf({ start, ...metrics }: RollUp, field: MetricField): LevelTime | null {
  const totals = metrics[field];
  const level = LEVELS.find((each) => totals && totals.seconds[each] > 0);
  return totals && level ? { level, from: start, to: start + totals.seconds[level] } : null;
}

/** Returns the part of a time that lies in a span; null if none does. */
export function cutTime<T extends { from: number; to: number }>(time: T, from: number, to: number): T | null {
  const cut = { ...time, from: Math.max(time.from, from), to: Math.min(time.to, to) };
  return cut.from < cut.to ? cut : null;
}

/**
 * Returns the seconds in each level to add to those of the slots that lie in a span: what slots before it count into it,
 * less what its own count beyond it.
 */
export async function edgeSeconds(
  read: ReadSteps,
  from: number,
  to: number,
): Promise<(field: MetricField) => Record<Level, number>> {
  const slots = (await Promise.all(edgesOf(from, to).map((edge) => readAll(read, edge)))).flat();
  return (field) => {
    const seconds = { good: 0, moderate: 0, poor: 0 };
    for (const slot of slots) {
      const time = levelTimeOf(slot, field);
      if (!time) continue;
      const cut = cutTime(time, from, to);
      const isCounted = slot.start >= from && slot.start + SLOT_SECONDS <= to;
      seconds[time.level] += (cut ? cut.to - cut.from : 0) - (isCounted ? time.to - time.from : 0);
    }
    return seconds;
  };
}

/** Returns the slots that may count beyond an end of a span. */
function edgesOf(from: number, to: number): Steps[] {
  const [before, first] = [slotOf(from) - LONGEST_SECONDS, slotOf(from + SLOT_SECONDS - 1)];
  const [last, after] = [slotOf(to) - LONGEST_SECONDS, slotOf(to + SLOT_SECONDS - 1)];
  const step = SLOT_SECONDS;
  if (last <= first) return [{ from: before, to: after, step }];
  return [
    { from: before, to: first, step },
    { from: last, to: after, step },
  ];
}
