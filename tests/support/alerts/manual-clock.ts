import type { DeliveryClock } from '../../../app/alerts/deliver.server';

/** A clock that stands still until a test moves it. */
export class ManualClock implements DeliveryClock {
  /** The lengths of all waits, in milliseconds. */
  readonly waits: number[] = [];
  #now: number;
  #sleepers = new Set<{ until: number; wake: () => void }>();

  constructor(start = '2026-03-01T10:00:00.000Z') {
    this.#now = Date.parse(start);
  }

  now = () => this.#now;
  random = () => 0.5;

  wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.waits.push(ms);
      const sleeper = {
        until: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', sleeper.wake);
      if (signal.aborted) sleeper.wake();
    });

  /** Sets the time back. Timers go on: they count what passes. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const sleeper of this.#sleepers) sleeper.until -= ms;
  }

  /** Moves on, and lets whatever waits for a time in between go on at that time. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const next = [...this.#sleepers].sort((a, b) => a.until - b.until)[0];
      if (!next || next.until > end) break;
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets all promises that need no input or output go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}
