import type { ReadingInput } from './reading';

/** Limits of a metric: values below `good` are good, below `moderate` are moderate, the rest are poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/** A quantity that a reading measures. */
export interface Metric {
  field: keyof ReadingInput;
  name: string;
  unit: string;
  threshold: Threshold;
  /** Random test readings are whole numbers from 0 to one below this. */
  randomBelow: number;
}

/** Carbon dioxide. Thresholds and random limit: specification, section 9. */
export const CO2: Metric = {
  field: 'co2',
  name: 'CO2',
  unit: 'PPM',
  threshold: { good: 1000, moderate: 2000 },
  randomBelow: 3000,
};

/** Volatile organic compounds. Thresholds and random limit: specification, section 9. */
export const VOC: Metric = {
  field: 'voc',
  name: 'VOC',
  unit: 'PPB',
  threshold: { good: 400, moderate: 800 },
  randomBelow: 600,
};

/** All metrics, in the order in which they are shown. A new one also needs a column in both stores. */
export const METRICS: readonly Metric[] = [CO2, VOC];
