import { mergeTotals, type RollUp } from '../readings/roll-up/roll-up';

/** Returns the roll-up of two times together, which begins with the first. */
export function mergeRollUps(a: RollUp, b: RollUp): RollUp {
  return {
    start: a.start,
    readings: a.readings + b.readings,
    co2: mergeTotals(a.co2, b.co2),
    voc: mergeTotals(a.voc, b.voc),
  };
}

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
