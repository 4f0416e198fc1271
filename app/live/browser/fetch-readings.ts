import { MAX_SENSORS } from '../../readings/known-sensors';
import type { Reading, SensorSummary } from '../../readings/reading';
import { askServer } from './ask-server';
import type { ServerClock } from './server-clock';

/** The query for `/api/data`: the newest `limit` readings, restricted to ids above `after`. */
interface ReadingsQuery {
  limit: number;
  after?: number;
  sensor?: string;
  withSensors?: boolean;
}

export interface FetchedReadings {
  /** Oldest first. */
  readings: Reading[];
  /** The sensors that a page lists, most recent first, if requested. Fetched before the readings. */
  sensors?: SensorSummary[];
  /** From the response's `Date` header; undefined without one. */
  clock?: ServerClock;
  /** Changes when readings were deleted or brought back. */
  deletions?: string;
}

/** Fetches readings, and the list of sensors if requested. Throws like `askServer`. */
export async function fetchReadings(
  { limit, after, sensor, withSensors }: ReadingsQuery,
  signal: AbortSignal,
): Promise<FetchedReadings> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (after !== undefined) query.set('after', String(after));
  if (sensor !== undefined) query.set('sensor', sensor);
  const listed = withSensors ? await askServer<SensorSummary[]>(sensorsOf(sensor), { signal }) : undefined;
  const { value, ...answer } = await askServer<Reading[]>(`/api/data?${query}`, { signal });
  return { readings: value, sensors: listed?.value, ...answer };
}

/** Fetches the list of sensors, which includes the shown one. */
export async function fetchSensors(shown: string): Promise<SensorSummary[]> {
  return (await askServer<SensorSummary[]>(sensorsOf(shown), { cache: 'no-cache' })).value;
}

function sensorsOf(shown: string | undefined): string {
  const query = new URLSearchParams({ newest: String(MAX_SENSORS) });
  if (shown !== undefined) query.set('sensor', shown);
  return `/api/sensors?${query}`;
}
