import type { StepAnswer } from '../readings/history/history-answer';
import type { Thresholds } from '../readings/level/level';
import { METRICS } from '../readings/metric';
import { LONGEST_SECONDS, SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import type { ReadingStore } from '../store/reading-store';
import type { Span } from './asked-span.server';
import { levelTimeOf } from './counted-slots.server';
import { readAll, stepReader } from './whole-steps.server';

/** The time that can be in a level: a slot counts from the sensor's first reading until now. In seconds since 1970. */
export interface ElapsedTime {
  from: number;
  to: number;
}

/** Returns the time since a sensor's first reading; null if it has none. The second that is under way is a part of it. */
export async function elapsedTime(
  store: Pick<ReadingStore, 'lastHeard'>,
  sensor: string,
  now: number,
): Promise<ElapsedTime | null> {
  const found = (await store.lastHeard(sensor)).find(({ name }) => name === sensor);
  return found
    ? { from: Math.floor(Date.parse(found.first_heard) / 1000), to: Math.floor(now / 1000) + 1 }
    : null;
}

/** Returns the part of a span that has elapsed. */
export function elapsedPart({ sensor, ...span }: Span, elapsed: ElapsedTime | null): Span {
  const from = Math.max(span.from, elapsed?.from ?? span.to);
  return { sensor, from, to: Math.max(from, Math.min(span.to, elapsed?.to ?? span.to)) };
}

/**
 * Takes the time before the first reading and after now from the slots of some steps.
 *
 * @param steps of `step` seconds; they are changed
 */
export async function cutToElapsed(
  store: Pick<ReadingStore, 'rollUps'>,
  sensor: string,
  steps: readonly StepAnswer[],
  { step, elapsed, thresholds }: { step: number; elapsed: ElapsedTime; thresholds: Thresholds },
): Promise<void> {
  const [first, last] = [steps[0], steps.at(-1)].map((one) => Date.parse(one?.start ?? '') / 1000);
  if (first === undefined || last === undefined) return;
  const isCut = (slot: number) => slot + SLOT_SECONDS > first && slot < last + step;
  const [begin, end] = [slotOf(elapsed.from), slotOf(elapsed.to)];
  const read = stepReader(store, sensor, thresholds);
  const edges = [
    ...(isCut(begin) ? [{ from: begin, to: begin + SLOT_SECONDS }] : []),
    // Any of these may count until after now.
    ...(isCut(end) || isCut(end - LONGEST_SECONDS)
      ? [{ from: end - LONGEST_SECONDS, to: end + SLOT_SECONDS }]
      : []),
  ];
  const slots = await Promise.all(edges.map((edge) => readAll(read, { ...edge, step: SLOT_SECONDS })));
  for (const slot of new Map(slots.flat().map((each) => [each.start, each])).values()) {
    for (const { field } of METRICS) {
      const time = levelTimeOf(slot, field);
      if (!time) continue;
      const excess = Math.max(0, elapsed.from - time.from) + Math.max(0, time.to - elapsed.to);
      const name = `${time.level}_seconds` as const;
      const values = steps.find((each) => {
        const start = Date.parse(each.start) / 1000;
        return start < slot.start + SLOT_SECONDS && start + step > slot.start && each[field]?.[name];
      })?.[field];
      if (values) values[name] = Math.max(0, values[name] - excess);
    }
  }
}
