import type { Reading } from '../../readings/reading';
import type { ServerClock } from './server-clock';

const TIMEOUT_MS = 10_000;

export interface FetchedReadings {
  /** Oldest first. */
  readings: Reading[];
  /** From the response's `Date`; undefined if it has none. */
  clock?: ServerClock;
}

/**
 * Gets `/api/data`: the newest `limit` readings, or those of them with an id above `after`.
 *
 * @param request aborts the request, also if it takes longer than 10 s
 * @throws Error with the server's reason, or saying that the server can't be reached
 */
export async function fetchReadings(
  { limit, after }: { limit: number; after?: number },
  request: AbortController,
): Promise<FetchedReadings> {
  const query = `limit=${limit}${after === undefined ? '' : `&after=${after}`}`;
  const timeout = setTimeout(() => request.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(`/api/data?${query}`, { signal: request.signal }).catch(() => {
      throw new Error("The server can't be reached.");
    });
    if (!response.ok) {
      const { detail } = await response.json().catch(() => ({}));
      throw new Error(detail ?? `The server answered with status ${response.status}.`);
    }
    const serverTime = Date.parse(response.headers.get('Date') ?? '');
    const clock = Number.isNaN(serverTime) ? undefined : { serverTime, viewerTime: performance.now() };
    return { readings: await response.json(), clock };
  } finally {
    clearTimeout(timeout);
  }
}
