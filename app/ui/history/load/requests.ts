import { useState } from 'react';
import type { Reading } from '../../../readings/reading';

const TIMEOUT_MS = 20_000;
const RETRY_MS = 3000;
/** The previous answer stays on screen for up to this long while the next one loads. */
const HOLD_MS = 400;

/** Newly arrived readings of any sensor; null if they are unknown. */
type Arrived = readonly Reading[] | null;

/** Notifies parts of a page about new readings. */
export interface Arrivals {
  publish(arrived: Arrived): void;
  subscribe(listener: (arrived: Arrived) => void): () => void;
}

export function useArrivals(): Arrivals {
  return useState(createArrivals)[0];
}

function createArrivals(): Arrivals {
  const listeners = new Set<(arrived: Arrived) => void>();
  return {
    publish(arrived) {
      for (const listener of listeners) listener(arrived);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Sends one part's requests, one at a time. Repeats them after failures and on new readings. */
export interface Requests {
  isRunning(): boolean;
  /** Starts a request and aborts the previous one. Retries a failure after `RETRY_MS`. */
  run<T>(
    ask: (request: { signal: AbortSignal; timeoutMs: number }) => Promise<T>,
    onAnswer: (answer: T) => void,
    onFailure: (error: Error) => void,
  ): void;
  /** Starts the next request `ms` after the start of the last one, unless a retry is already scheduled. */
  again(ms: number): void;
  /** Calls `onHeld` after `HOLD_MS` (the answer is slow) unless `release` is called first. */
  hold(onHeld: () => void): void;
  release(): void;
  stop(): void;
}

export function createRequests(next: () => void): Requests {
  let running: AbortController | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRetrying = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let holdTimer: ReturnType<typeof setTimeout> | undefined;

  function startIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(next, Math.max(0, ms));
  }

  return {
    isRunning: () => running !== undefined,
    run(ask, onAnswer, onFailure) {
      clearTimeout(timer);
      running?.abort();
      const own = new AbortController();
      running = own;
      startedAt = performance.now();
      isRetrying = false;
      const end =
        <T>(onEnd: (result: T) => void) =>
        (result: T) => {
          if (own !== running) return;
          running = undefined;
          onEnd(result);
        };
      ask({ signal: own.signal, timeoutMs: TIMEOUT_MS }).then(
        end(onAnswer),
        end((error: Error) => {
          isRetrying = true;
          startIn(RETRY_MS);
          onFailure(error);
        }),
      );
    },
    again(ms) {
      if (!isRetrying) startIn(startedAt + ms - performance.now());
    },
    hold(onHeld) {
      clearTimeout(holdTimer);
      holdTimer = setTimeout(onHeld, HOLD_MS);
    },
    release: () => clearTimeout(holdTimer),
    stop() {
      clearTimeout(timer);
      clearTimeout(holdTimer);
      running?.abort();
      running = undefined;
    },
  };
}
