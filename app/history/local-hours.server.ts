import type { RollUp } from '../readings/roll-up/roll-up';
import { SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import type { LocalTime } from './local-time.server';
import { mergeRollUps } from './roll-up-merger.server';
import { type ReadSteps, readAll } from './whole-steps.server';

const HOUR = 3600;

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
    const phase = slotOf(modulo(-period.offset, HOUR));
    const first = Math.min(end, Math.ceil((begin - phase) / HOUR) * HOUR + phase);
    const last = Math.max(first, Math.floor((end - phase) / HOUR) * HOUR + phase);
    yield await cutHour(read, begin, first);
    if (first < last) yield* read({ from: first, to: last, step: HOUR, phase });
    yield await cutHour(read, last, end);
  }
}

/** Returns the roll-up of a part of an hour, from its slots; none if it has no readings. */
async function cutHour(read: ReadSteps, from: number, to: number): Promise<RollUp[]> {
  const slots = await readAll(read, { from, to, step: SLOT_SECONDS });
  return slots.length > 0 ? [{ ...slots.reduce(mergeRollUps), start: from }] : [];
}

const modulo = (number: number, divisor: number): number => ((number % divisor) + divisor) % divisor;
