/** Wakes one loop that waits for something to do. */
export interface Bell {
  ring(): void;
  /** Waits until it is rung, which may have been before, or `signal` is aborted; forgets the ring. */
  heard(signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let isRung = false;
  let wake = () => {};
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    heard: async (signal) => {
      if (!isRung && !signal.aborted) await rung(signal);
      isRung = false;
    },
  };

  function rung(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
    });
  }
}
