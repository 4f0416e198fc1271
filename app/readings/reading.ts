import { type ByMetric, byMetric } from './metric';

/** The name of the sensor that posts without one. */
export const UNNAMED = '';

/** The values of a reading, finite, in the units of the table of metrics. At least one isn't null. */
export type MetricValues = ByMetric<number>;

/** Returns the values alone, without null for others than CO2 and VOC. */
export function valuesIn(values: MetricValues): MetricValues {
  return byMetric(({ field }) => values[field] ?? null);
}

/** A sensor's measurement. */
export interface ReadingInput extends MetricValues {
  /** When the sensor measured, as in `Reading`. Left out, the store gives the reading its own time. */
  created_at?: string;
  /** The sensor's name, 1 to 64 characters. Left out for the unnamed sensor. */
  sensor?: string;
}

/** A stored reading, as the API and every page know it. `sensor` and `created_at` identify it. */
export interface Reading extends ReadingInput {
  /** Unique, assigned by the store: the order of storing. */
  id: number;
  /** ISO 8601 in UTC with `Z`: with milliseconds where they are exact, otherwise with six decimals. */
  created_at: string;
}

/** A sensor that has stored readings. */
export interface SensorSummary {
  /** `UNNAMED` for the sensor that posts without a name. */
  name: string;
  /** Its newest reading by time. */
  newest: Reading;
  /** `created_at` of its first and of its newest reading. */
  first_heard: string;
  last_heard: string;
}

/** Orders readings by `created_at`, then by `id`. Negative if `a` is older. */
export function compareReadings(a: Reading, b: Reading): number {
  if (a.created_at === b.created_at) return a.id - b.id;
  return compareTimes(a.created_at, b.created_at);
}

/** Orders two times of readings. Without their `Z`, they sort as text as they do in time, whatever their decimals. */
export function compareTimes(a: string, b: string): number {
  const [first, second] = a.length === b.length ? [a, b] : [a.slice(0, -1), b.slice(0, -1)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** Returns the name of a reading's sensor. */
export function sensorOf({ sensor = UNNAMED }: Pick<ReadingInput, 'sensor'>): string {
  return sensor;
}
