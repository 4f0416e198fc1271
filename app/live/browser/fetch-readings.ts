import type { Reading } from '../../readings/reading';

const TIMEOUT_MS = 10_000;

export interface FetchedReadings {
  /** Oldest first. */
  readings: Reading[];
  /** The server's clock in milliseconds when it answered; null if it sent no `Date`. */
  serverTime: number | null;
}

/**
 * Gets `/api/data`: the newest `limit` readings, or those of them with an id above `after`.
 *
 * @throws Error with the server's reason, or saying that the server can't be reached
 */
export async function fetchReadings(
  query: { limit: number; after?: number },
  signal: AbortSignal,
): Promise<FetchedReadings> {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  // `AbortSignal.any` would be shorter, but browsers older than 2024 lack it and wall tablets still run them.
  const request = new AbortController();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort);
  const timeout = setTimeout(abort, TIMEOUT_MS);
  try {
    return await readingsFrom(fetch(`/api/data?${parameters}`, { signal: request.signal }));
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener('abort', abort);
  }
}

async function readingsFrom(pending: Promise<Response>): Promise<FetchedReadings> {
  const response = await pending.catch(() => {
    throw new Error('The server can’t be reached.');
  });
  if (!response.ok) {
    const { detail } = await response.json().catch(() => ({}));
    throw new Error(detail ?? `The server answered with status ${response.status}.`);
  }
  const date = Date.parse(response.headers.get('Date') ?? '');
  return { readings: await response.json(), serverTime: Number.isNaN(date) ? null : date };
}
