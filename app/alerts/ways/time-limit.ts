/** How long sending may take, with the answer. */
export const SEND_LIMIT_MS = 10_000;

/**
 * Runs `send` with a signal that is aborted when `signal` is, or after 10 s. Node 20 may collect the signal of
 * `AbortSignal.any` and `AbortSignal.timeout` as garbage before it fires.
 */
export async function withTimeLimit<T>(
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const stop = () => limit.abort(signal.reason);
  const timer = setTimeout(
    () => limit.abort(new DOMException('The time is up.', 'TimeoutError')),
    SEND_LIMIT_MS,
  );
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await send(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Returns why sending failed. `fetch` only says that it did; its cause says why. */
export function failureText(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } };
  if ([name, cause?.name].includes('TimeoutError')) return `no answer within ${SEND_LIMIT_MS / 1000} s`;
  if (name === 'AbortError') return 'the server stopped';
  // A host with several addresses fails with an `AggregateError`, which has a code and no message.
  return cause?.message || cause?.code || message;
}
