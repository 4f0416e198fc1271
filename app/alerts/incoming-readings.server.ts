import type { Reading } from '../readings/reading';
import type { AlertStore } from '../store/alert-store';
import type { ReadingStore } from '../store/reading-store';

/** The most inserts that wait in memory to be judged. Further ones are read from the store. */
const QUEUED_INSERTS = 10_000;

/** The interval at which the store is asked for readings that other processes have inserted. */
export const POLL_MS = 5000;

export interface IncomingReadings {
  /**
   * Yields readings with a higher id than `cursor`, ordered by id: this process's inserts from memory if their ids have
   * no gap, else readings from the store.
   */
  after(cursor: number): AsyncIterable<readonly Reading[]>;
  /** True if there are inserts or it is time to ask the store. */
  isDue(nowMs: number): boolean;
  stop(): void;
}

export function incomingReadings({
  inserts,
  read,
}: Pick<ReadingStore, 'inserts' | 'read'>): IncomingReadings {
  let queue: Reading[] = [];
  let lastPollMs = Number.NEGATIVE_INFINITY;
  const unsubscribe = inserts?.subscribe((reading) => {
    // Inserts beyond the limit are dropped. The next queued insert then shows a gap in the ids.
    if (queue.length < QUEUED_INSERTS) queue.push(reading);
  });
  return {
    async *after(cursor) {
      const inserted = queue.filter(({ id }) => id > cursor);
      queue = [];
      if (inserted.length > 0 && inserted.every(({ id }, i) => id === cursor + 1 + i)) yield inserted;
      else yield* read({ after: cursor });
    },
    isDue(nowMs) {
      if (queue.length === 0 && Math.abs(nowMs - lastPollMs) < POLL_MS) return false;
      lastPollMs = nowMs;
      return true;
    },
    stop: () => unsubscribe?.(),
  };
}

/** The first start judges readings up to this age. */
const FIRST_MS = 86_400_000;

/**
 * Returns the cursor for the first start: about the last day's readings come after it. Stores it, so that a restart
 * uses the same cursor.
 */
export async function beginFirst(
  readings: Pick<ReadingStore, 'read' | 'newest'>,
  alerts: AlertStore,
  now: number,
): Promise<number> {
  const [newest] = await readings.newest(1, { after: 0 });
  let cursor = newest?.id ?? 0;
  for await (const page of readings.read({ from: new Date(now - FIRST_MS).toISOString() })) {
    for (const { id } of page) cursor = Math.min(cursor, id - 1);
    break;
  }
  await alerts.commit({ cursor, sensors: [], transitions: [], messages: [] });
  return cursor;
}
