import { asPosted } from '../readings/correction';
import type { Reading } from '../readings/reading';
import { addReading, groupPage, groupRollUps, type RollUp } from '../readings/roll-up/roll-up';
import { singleRollUps } from '../readings/roll-up/short-steps';
import { LONGEST_SECONDS, levelSlots, SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import { formatReadingTime, storedMicros } from '../readings/time/reading-time';
import type { HistoryQuery, ReadingStore } from '../store/reading-store';

/**
 * Returns a store whose roll-ups are those of the values as posted. It reads the readings of a span, because stores keep sums of
 * corrected values only.
 */
export function asPostedStore(store: ReadingStore): ReadingStore {
  return { ...store, rollUps: (query) => groupRollUps(postedRollUps(store, query), query) };
}

const timeOf = (seconds: number) => formatReadingTime(seconds * 1e6);
const secondOf = ({ created_at }: Reading) => Math.floor(storedMicros(created_at) / 1e6);

/** Yields slots or, for steps that are shorter, readings. */
async function* postedRollUps(
  store: Pick<ReadingStore, 'read'>,
  query: HistoryQuery,
): AsyncGenerator<RollUp[]> {
  const { sensor, from, to, step, thresholds } = query;
  const isShort = step < SLOT_SECONDS;
  const single = singleRollUps();
  /** The slots and readings that aren't yielded yet, with the slots within `LONGEST_SECONDS` before, which level them. */
  let slots: RollUp[] = [];
  let readings: Reading[] = [];
  // If the span begins within a slot, the slot's first value may lie before the span.
  let begin = slotOf(from);

  /** Returns what is complete before a time, the start of a slot. */
  function complete(upTo: number): RollUp[] {
    levelSlots(slots, thresholds);
    const isComplete = (start: number) => start >= begin && start < upTo;
    const bySlot = new Map(slots.map((slot) => [slot.start, slot]));
    const found = isShort
      ? readings
          .filter((reading) => isComplete(slotOf(secondOf(reading))))
          .map((reading) => single(secondOf(reading), reading, bySlot.get(slotOf(secondOf(reading)))))
      : slots.filter(({ start }) => isComplete(start));
    begin = Math.max(begin, upTo);
    slots = slots.filter(({ start }) => start >= begin - LONGEST_SECONDS);
    readings = readings.filter((reading) => secondOf(reading) >= begin);
    const inSpan = found.filter(({ start }) => start >= from && start < to);
    return isShort ? groupPage(inSpan, query) : inSpan;
  }

  const span = { from: timeOf(slotOf(from) - LONGEST_SECONDS), to: timeOf(to + LONGEST_SECONDS) };
  for await (const page of store.read({ sensor, ...span })) {
    for (const stored of page) {
      const reading = asPosted(stored);
      const start = slotOf(secondOf(reading));
      if (slots.at(-1)?.start !== start) slots.push({ start, readings: 0, co2: null, voc: null });
      addReading(slots.at(-1) as RollUp, reading);
      if (isShort) readings.push(reading);
    }
    const last = slots.at(-1);
    if (last) yield complete(last.start - LONGEST_SECONDS);
  }
  yield complete(Math.ceil(to / SLOT_SECONDS) * SLOT_SECONDS);
}
