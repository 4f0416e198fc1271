import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../store/reading-store';

/** Background work takes at most this share of the time, because requests come first. */
const SHARE = 0.1;

/** Passed to each round of work. */
export interface Round {
  /** Aborted when the work must stop. */
  signal: AbortSignal;
  /** Runs `piece`, then waits long enough that pieces take at most `SHARE` of the time. */
  share<T>(piece: () => Promise<T>): Promise<T>;
}

export interface BackgroundWork {
  stop(): Promise<void>;
}

/**
 * Runs rounds of work, one after the other, until stopped.
 *
 * @param what the start of the log line after a failure, such as `findings wait for the store`; logged once until a round
 *   succeeds
 */
export function startRounds(
  { firstMs, intervalMs, what }: { firstMs: number; intervalMs: number; what: string },
  work: (round: Round) => Promise<void>,
): BackgroundWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  async function share<T>(piece: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await piece();
    await wait((performance.now() - startedAt) * (1 / SHARE - 1));
    return result;
  }

  async function run(): Promise<void> {
    let isFailing = false;
    await wait(firstMs);
    while (!signal.aborted) {
      try {
        await work({ signal, share });
        isFailing = false;
      } catch (error) {
        const reason = error instanceof StoreUnavailableError ? error.message : error;
        if (!isFailing && !signal.aborted) console.error(`[airboard] ${what}:`, reason);
        isFailing = true;
      }
      await wait(intervalMs);
    }
  }

  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
