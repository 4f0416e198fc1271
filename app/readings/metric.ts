import type { ReadingInput } from './reading';

/** Limits of a metric: below `good` is good, below `moderate` is moderate, the rest is poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/** One of the two things a reading measures. */
export interface Metric {
  field: keyof ReadingInput;
  name: string;
  unit: string;
  threshold: Threshold;
  /** Random test readings are whole numbers from 0 up to, not including, this. */
  randomBelow: number;
}

/** Thresholds and random limits: specification, section 9. */
export const CO2: Metric = {
  field: 'co2',
  name: 'CO2',
  unit: 'PPM',
  threshold: { good: 1000, moderate: 2000 },
  randomBelow: 3000,
};

/** Thresholds and random limits: specification, section 9. */
export const VOC: Metric = {
  field: 'voc',
  name: 'VOC',
  unit: 'PPB',
  threshold: { good: 400, moderate: 800 },
  randomBelow: 600,
};

export const METRICS: readonly Metric[] = [CO2, VOC];
