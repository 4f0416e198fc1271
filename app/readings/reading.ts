/** What a sensor sends: CO2 in PPM and VOC in PPB, both finite. */
export interface ReadingInput {
  co2: number;
  voc: number;
}

/** A stored reading, as the API and every page know it. */
export interface Reading extends ReadingInput {
  /** Unique, given by the store. */
  id: number;
  /** ISO 8601 in UTC with milliseconds and `Z`: as text it sorts as it does in time. */
  created_at: string;
}

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

/**
 * A random test reading of whole numbers: co2 0 to 2999, voc 0 to 599.
 *
 * @param random a source of numbers in [0, 1)
 */
export function randomReading(random: () => number = Math.random): ReadingInput {
  return { co2: Math.floor(random() * CO2.randomBelow), voc: Math.floor(random() * VOC.randomBelow) };
}

/** Order in time: by `created_at`, and by `id` where two readings share a moment. Negative when `a` is older. */
export function compareReadings(a: Reading, b: Reading): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id - b.id;
}
