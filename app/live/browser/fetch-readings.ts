import type { Reading } from '../../readings/reading';

const TIMEOUT_MS = 10_000;

export interface FetchedReadings {
  /** Oldest first. */
  readings: Reading[];
  /** The server's clock when it answered, in milliseconds; null where it did not say. */
  serverTime: number | null;
}

/**
 * GET /api/data: the newest `limit` readings, with `after` of those with a higher id.
 *
 * @throws Error with the server's reason, or one that says that it could not be reached
 */
export async function fetchReadings(
  query: { limit: number; after?: number },
  signal: AbortSignal,
): Promise<FetchedReadings> {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  // By hand: AbortSignal.any is younger than many a tablet on a wall.
  const request = new AbortController();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort);
  const timeout = setTimeout(abort, TIMEOUT_MS);
  try {
    return await answerOf(fetch(`/api/data?${parameters}`, { signal: request.signal }));
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener('abort', abort);
  }
}

async function answerOf(answer: Promise<Response>): Promise<FetchedReadings> {
  const response = await answer.catch(() => {
    throw new Error('The server can’t be reached.');
  });
  if (!response.ok) {
    const { detail } = await response.json().catch(() => ({}));
    throw new Error(detail ?? `The server answered ${response.status}.`);
  }
  const date = Date.parse(response.headers.get('Date') ?? '');
  return { readings: await response.json(), serverTime: Number.isNaN(date) ? null : date };
}
