const TIMEOUT_MS = 20_000;

/** Runs one request at a time. A new one aborts the one before, whose answer is dropped. */
export interface LatestRequest {
  isRunning(): boolean;
  /** Calls `onAnswer` or `onFailure`, or neither if another request or `abort` comes first. */
  run<T>(
    ask: (signal: AbortSignal) => Promise<T>,
    onAnswer: (answer: T) => void,
    onFailure: (error: Error) => void,
  ): void;
  abort(): void;
}

export function latestRequest(): LatestRequest {
  let latest: AbortController | undefined;
  return {
    isRunning: () => latest !== undefined,
    run(ask, onAnswer, onFailure) {
      latest?.abort();
      const own = new AbortController();
      latest = own;
      const timeout = setTimeout(() => own.abort(), TIMEOUT_MS);
      const end =
        <T>(onEnd: (result: T) => void) =>
        (result: T) => {
          clearTimeout(timeout);
          if (own !== latest) return;
          latest = undefined;
          onEnd(result);
        };
      ask(own.signal).then(end(onAnswer), end(onFailure));
    },
    abort() {
      latest?.abort();
      latest = undefined;
    },
  };
}
