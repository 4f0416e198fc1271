import { setImmediate as nextTurn } from 'node:timers/promises';
import { BATCH_READINGS, type ReadingStore, SHARED_READINGS } from '../store/reading-store';

/** How long a reading that was posted alone keeps batches in small steps. */
const SHARED_MS = 1000;

let lastTurn: Promise<void> = Promise.resolve();
let lastSingleAt = Number.NEGATIVE_INFINITY;

/** Resolves in a turn of the event loop in which no other batch has one: many hold up the rest no longer than one does. */
export function nextBatchTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/** Notes that a reading was posted alone. */
export function noteSinglePost(): void {
  lastSingleAt = performance.now();
}

/** Returns how many readings of a batch may be stored at once: large transactions are faster, small ones shorter. */
export function readingsPerTurn({ blocksOnInsert }: Pick<ReadingStore, 'blocksOnInsert'>): number {
  return blocksOnInsert && performance.now() - lastSingleAt < SHARED_MS ? SHARED_READINGS : BATCH_READINGS;
}
