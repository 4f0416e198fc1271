import { mergeRollUps, type RollUp } from '../readings/roll-up/roll-up';
import { SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import { HOUR_S } from '../readings/time/durations';
import type { LocalTime } from './local-time.server';
import { type ReadSteps, readAll } from './read-steps.server';

/**
 * Yields the roll-ups of the local hours of a span that have readings, oldest first. Where the clocks change by half an
 * hour, or within one, the hours beside the change are shorter.
 *
 * @param from the beginning of a local hour, as is `to`
 */
export async function* localHours(
  read: ReadSteps,
  { periods }: LocalTime,
  from: number,
  to: number,
): AsyncGenerator<RollUp[]> {
  for (const period of periods) {
    // Before clocks were set to whole minutes of UTC, hours began within a slot.
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

/** Returns the roll-up of a part of an hour, from its slots; none if it has no readings. */
async function cutHour(read: ReadSteps, from: number, to: number): Promise<RollUp[]> {
  const slots = await readAll(read, { from, to, step: SLOT_SECONDS });
  return slots.length > 0 ? [{ ...slots.reduce(mergeRollUps), start: from }] : [];
}

const modulo = (number: number, divisor: number): number => ((number % divisor) + divisor) % divisor;

/** Units kept open. Three: a clock set back within an hour makes readings alternate between two. */
const OPEN_UNITS = 3;

/**
 * Merges the roll-ups that have the same key and follow each other, or nearly so.
 *
 * @param emit is called with each merged roll-up, in the order of their first parts; its `start` is the key
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
    /** Emits the last ones. */
    end: () => emitDownTo(0),
  };
}
