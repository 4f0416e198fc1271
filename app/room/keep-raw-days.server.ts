import { DAY_S, utcDay } from '../readings/time/durations';
import type { ReadingStore } from '../store/reading-store';
import { type BackgroundWork, startRounds } from './background-rounds.server';

/** The delay of the first round, and the interval of the others. */
const FIRST_MS = 60_000;
const ROUND_MS = 3_600_000;

/**
 * Removes raw readings that are older than `RAW_DAYS` in the background, in small steps.
 *
 * @param rawDaysOf returns the days for which a sensor's raw readings are kept; 0 keeps all
 * @param isReady returns true once the findings about rooms are computed, which need raw readings
 */
export function keepRawDays(
  store: Pick<ReadingStore, 'names' | 'removeRaw'>,
  rawDaysOf: (sensor: string) => number,
  isReady: () => boolean,
  { firstMs, intervalMs } = { firstMs: FIRST_MS, intervalMs: ROUND_MS },
): BackgroundWork {
  const timing = { firstMs, intervalMs, what: 'raw readings are kept until the store can remove them' };
  return startRounds(timing, async ({ signal, share }) => {
    if (!isReady()) return;
    const before = await daysToRemove(store, rawDaysOf);
    if (before.size === 0) return;
    const steps = store.removeRaw({ before })[Symbol.asyncIterator]();
    let removed = 0;
    while (!signal.aborted) {
      const { done, value } = await share(() => steps.next());
      if (done) break;
      removed += value;
    }
    if (removed > 0)
      console.log(
        `[airboard] RAW_DAYS: ${removed} raw readings were removed, their five-minute slots are kept`,
      );
  });
}

/** Returns the beginning of each sensor's first day whose raw readings are kept, in seconds since 1970. */
async function daysToRemove(
  store: Pick<ReadingStore, 'names'>,
  rawDaysOf: (sensor: string) => number,
): Promise<Map<string, number>> {
  const today = utcDay(Date.now() / 1000);
  const before = new Map<string, number>();
  for (const name of await store.names()) {
    const days = rawDaysOf(name);
    if (days > 0) before.set(name, today - days * DAY_S);
  }
  return before;
}
