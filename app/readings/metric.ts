/** The member of a reading that has a metric's value. */
export type MetricField = 'co2' | 'voc';

/** A quantity that a reading measures. */
export interface Metric {
  field: MetricField;
  name: string;
  unit: string;
  /** Random test readings are whole numbers from 0 to one below this. */
  randomBelow: number;
  /** A value below this is a fault of the sensor: outdoor air has more. */
  outdoorLeast?: number;
}

/**
 * Carbon dioxide. Outdoor air has more than 420 PPM, and had at least 300 through
 * the last hundred years.
 */
export const CO2: Metric = {
  field: 'co2',
  name: 'CO2',
  unit: 'PPM',
  randomBelow: 3000,
  outdoorLeast: 300,
};

/** Volatile organic compounds. */
export const VOC: Metric = {
  field: 'voc',
  name: 'VOC',
  unit: 'PPB',
  randomBelow: 600,
};

/** All metrics, in the order in which they are shown. A new one also needs a column in both stores. */
export const METRICS: readonly Metric[] = [CO2, VOC];

/** The words for a metric without a value. */
export const NOT_MEASURED = 'not measured';

/** Returns the metrics that at least one of these readings, or points of a chart, has a value of. */
export function measuredMetrics(rows: readonly Record<MetricField, unknown>[]): Metric[] {
  return METRICS.filter(({ field }) => rows.some((row) => row[field] !== null));
}
