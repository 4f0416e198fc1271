import type { RawValues } from './correction';
import { type ByMetric, byMetric, isCore, isDoubtful, isFaulty, METRICS, type Metric } from './metric';
import type { SensorSettings } from './sensor-settings';

/** The name of the sensor that posts without a name. */
export const UNNAMED = '';

/** A reading's values: finite numbers in the units of the table of metrics. At least one isn't null. */
export type MetricValues = ByMetric<number>;

/** Returns only the values. Leaves out null, except for CO2 and VOC. */
export function valuesIn(values: MetricValues): MetricValues {
  return byMetric(({ field }) => values[field] ?? null);
}

/** Returns a metric's value; null if it is missing or faulty. */
export function measuredValue(values: MetricValues, metric: Metric): number | null {
  const value = values[metric.field] ?? null;
  return value === null || isFaulty(value, metric) ? null : value;
}

/** Returns only the values that aren't faulty. */
export function measuredValues(values: MetricValues): MetricValues {
  return byMetric((metric) => measuredValue(values, metric));
}

/** Returns only the faulty values. */
export function faultyValues(values: MetricValues): MetricValues {
  return byMetric((metric) =>
    measuredValue(values, metric) === null ? (values[metric.field] ?? null) : null,
  );
}

/**
 * Returns the metrics of a reading with doubtful values.
 *
 * @param mayCount true if the reading may come from the counter of `/postdata`, whose CO2 and VOC may be below zero. Those of the
 *   unnamed sensor always may.
 */
export function doubtfulMetrics(reading: ReadingInput, mayCount = false): Metric[] {
  const isCounter = mayCount || sensorOf(reading) === UNNAMED;
  return METRICS.filter((metric) => {
    const value = reading[metric.field] ?? null;
    return value !== null && isDoubtful(value, metric) && !(isCounter && isCore(metric.field) && value < 0);
  });
}

/** A sensor's measurement. */
export interface ReadingInput extends MetricValues {
  /** The time of the measurement, in the format of `Reading`. If left out, the store uses its own clock. */
  created_at?: string;
  /** The sensor's name, 1 to 64 characters; left out for the unnamed sensor. */
  sensor?: string;
}

/** A stored reading, in the form that the API and pages use. `sensor` and `created_at` identify it. */
export interface Reading extends ReadingInput {
  /** Assigned by the store: unique, and increasing in the order of storing. */
  id: number;
  /** ISO 8601 in UTC with `Z`, with three decimals if these are exact, otherwise with six. */
  created_at: string;
  /** Only if the sensor's corrections have changed values: these values as they were posted. */
  raw?: RawValues;
}

/** A sensor that has stored readings. Its settings are known once the store was asked. */
export interface SensorSummary extends Partial<SensorSettings> {
  /** `UNNAMED` for the sensor that posts without a name. */
  name: string;
  /** Its newest reading by time. */
  newest: Reading;
  /** `created_at` of the sensor's first and newest reading. */
  first_heard: string;
  last_heard: string;
  /** While stored readings are corrected again, after a change of `corrections`. */
  is_recomputing?: true;
}

/** Compares readings by `created_at`, then by `id`. Negative if `a` is older. */
export function compareReadings(a: Reading, b: Reading): number {
  if (a.created_at === b.created_at) return a.id - b.id;
  return compareTimes(a.created_at, b.created_at);
}

/** Compares two times of readings. Without the `Z`, text order is time order, whatever the number of decimals. */
export function compareTimes(a: string, b: string): number {
  const [first, second] = a.length === b.length ? [a, b] : [a.slice(0, -1), b.slice(0, -1)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

export function sensorOf({ sensor = UNNAMED }: Pick<ReadingInput, 'sensor'>): string {
  return sensor;
}
