import type { Reading, SensorSummary } from '../../readings/reading';
import { askServer } from './ask-server';
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
  const { signal } = request;
  const timeout = setTimeout(() => request.abort(), TIMEOUT_MS);
  try {
    const sensors: SensorSummary[] | undefined = withSensors
      ? await (await askServer('/api/sensors', { signal })).json()
      : undefined;
    const response = await askServer(`/api/data?${query}`, { signal });
    const serverTime = Date.parse(response.headers.get('Date') ?? '');
    const clock = Number.isNaN(serverTime) ? undefined : { serverTime, viewerTime: performance.now() };
    return { readings: await response.json(), sensors, clock };
  } finally {
    clearTimeout(timeout);
  }
}
