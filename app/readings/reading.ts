/** A sensor's measurement: CO2 in PPM and VOC in PPB, both finite. */
export interface ReadingInput {
  co2: number;
  voc: number;
}

/** A stored reading, as the API and every page know it. */
export interface Reading extends ReadingInput {
  /** Unique, assigned by the store. */
  id: number;
  /** ISO 8601 in UTC with milliseconds and `Z`, so that it sorts as text as it does in time. */
  created_at: string;
}

/** Orders readings by `created_at`, then by `id`. Negative if `a` is older. */
export function compareReadings(a: Reading, b: Reading): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id - b.id;
}
