import { eventLoopTurns } from '../config/event-loop-turns.server';
import { BATCH_READINGS, type ReadingStore, SHARED_READINGS } from '../store/reading-store';

/** How long a reading that was posted alone keeps batches in small steps. */
const SHARED_MS = 1000;

/**
 * How many days, counted for each sensor, the readings of one transaction may be of. Each day changes pages of the file
 * that the others don't: 500 of them would hold the event loop for a tenth of a second.
 */
const DAYS_PER_TURN = 64;

let lastSingleAt = Number.NEGATIVE_INFINITY;

/** Resolves in a turn of the event loop that no other batch has. */
export const nextBatchTurn = eventLoopTurns();

/** Notes that a reading was posted alone. */
export function noteSinglePost(): void {
  lastSingleAt = performance.now();
}

/** Returns how many readings of a batch may be stored at once: large transactions are faster, small ones shorter. */
export function readingsPerTurn({ blocksOnInsert }: Pick<ReadingStore, 'blocksOnInsert'>): number {
  return blocksOnInsert && performance.now() - lastSingleAt < SHARED_MS ? SHARED_READINGS : BATCH_READINGS;
}

/** Returns how many days of sensors the readings that are stored at once may be of. */
export function daysPerTurn({ blocksOnInsert }: Pick<ReadingStore, 'blocksOnInsert'>): number {
  return blocksOnInsert ? DAYS_PER_TURN : Number.POSITIVE_INFINITY;
}
