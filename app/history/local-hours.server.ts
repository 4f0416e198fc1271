import { mergeRollUps, type RollUp } from '../readings/roll-up/roll-up';
import { SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import { HOUR_S } from '../readings/time/durations';
import type { LocalTime } from './local-time.server';
import { type ReadSteps, readAll } from './read-steps.server';

/**
 * Yields a roll-up for each local hour with readings, oldest first. If the clocks change by half an hour, or in the
 * middle of an hour, the hours before and after the change are shorter.
 *
 * @param from must be the start of a local hour, and so must `to`
 */
export async function* localHours(
  read: ReadSteps,
  { periods }: LocalTime,
  from: number,
  to: number,
): AsyncGenerator<RollUp[]> {
  for (const period of periods) {
    // Local mean time has offsets like +0:53:28, so its hours begin within a slot.
    const [begin, end] = [slotOf(Math.max(period.from, from)), slotOf(Math.min(period.to, to))];
    if (begin >= end) continue;
    const phase = slotOf(modulo(-period.offset, HOUR_S));
    const first = Math.min(end, Math.ceil((begin - phase) / HOUR_S) * HOUR_S + phase);
    const last = Math.max(first, Math.floor((end - phase) / HOUR_S) * HOUR_S + phase);
    yield await cutHour(read, begin, first);
    if (first < last) yield* read({ from: first, to: last, step: HOUR_S, phase });
    yield await cutHour(read, last, end);
  }
}

/** Merges the slots of a partial hour into one roll-up; an empty array if it has no readings. */
async function cutHour(read: ReadSteps, from: number, to: number): Promise<RollUp[]> {
  const slots = await readAll(read, { from, to, step: SLOT_SECONDS });
  return slots.length > 0 ? [{ ...slots.reduce(mergeRollUps), start: from }] : [];
}

const modulo = (number: number, divisor: number): number => ((number % divisor) + divisor) % divisor;

/** Keys kept open. If the clocks go back within an hour, readings alternate between two keys. */
const OPEN_UNITS = 3;

/**
 * Merges roll-ups with the same key. Only `OPEN_UNITS` keys stay open, so equal keys must arrive close together.
 *
 * @param emit gets each merged roll-up, in the order in which the keys first arrived; `start` is the key
 */
export function rollUpMerger(keyOf: (start: number) => number, emit: (merged: RollUp) => void) {
  const open = new Map<number, RollUp>();

  function emitDownTo(size: number): void {
    for (const [key, merged] of open) {
      if (open.size <= size) return;
      open.delete(key);
      emit(merged);
    }
  }

  return {
    add(rollUp: RollUp): void {
      const start = keyOf(rollUp.start);
      const known = open.get(start);
      open.set(start, known ? mergeRollUps(known, rollUp) : { ...rollUp, start });
      emitDownTo(OPEN_UNITS);
    },
    /** Emits the roll-ups that are still open. */
    end: () => emitDownTo(0),
  };
}
