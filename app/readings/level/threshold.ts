import type { MetricField } from '../metric';

/** Limits of a metric: values below `good` are good, below `moderate` are moderate, the rest are poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/** The limits of every metric. They are settings of the server (`CO2_GOOD` and the like). */
export type Thresholds = Record<MetricField, Threshold>;
