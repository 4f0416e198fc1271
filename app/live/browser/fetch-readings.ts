import type { Reading, SensorSummary } from '../../readings/reading';
import type { ServerClock } from './server-clock';

const TIMEOUT_MS = 10_000;

/** The query for `/api/data`: the newest `limit` readings, or those of them with an id above `after`. */
interface ReadingsQuery {
  limit: number;
  after?: number;
  /** Only this sensor's readings. */
  sensor?: string;
  /** True to get `/api/sensors` first. */
  withSensors?: boolean;
}

export interface FetchedReadings {
  /** Oldest first. */
  readings: Reading[];
  /** All sensors, newest heard first, if asked for: as they were before the readings were read. */
  sensors?: SensorSummary[];
  /** From the response's `Date`; undefined if it has none. */
  clock?: ServerClock;
}

/**
 * Gets readings, and the list of sensors if asked for.
 *
 * @param request aborts the request, also if it takes longer than 10 s
 * @throws Error with the server's reason, or saying that the server can't be reached
 */
export async function fetchReadings(
  { limit, after, sensor, withSensors }: ReadingsQuery,
  request: AbortController,
): Promise<FetchedReadings> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (after !== undefined) query.set('after', String(after));
  if (sensor !== undefined) query.set('sensor', sensor);
  const timeout = setTimeout(() => request.abort(), TIMEOUT_MS);
  try {
    const sensors: SensorSummary[] | undefined = withSensors
      ? await (await get('/api/sensors', request)).json()
      : undefined;
    const response = await get(`/api/data?${query}`, request);
    const serverTime = Date.parse(response.headers.get('Date') ?? '');
    const clock = Number.isNaN(serverTime) ? undefined : { serverTime, viewerTime: performance.now() };
    return { readings: await response.json(), sensors, clock };
  } finally {
    clearTimeout(timeout);
  }
}

async function get(address: string, { signal }: AbortController): Promise<Response> {
  const response = await fetch(address, { signal }).catch(() => {
    throw new Error("The server can't be reached.");
  });
  if (response.ok) return response;
  const { detail } = await response.json().catch(() => ({}));
  throw new Error(detail ?? `The server answered with status ${response.status}.`);
}
