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

/** Order in time: by `created_at`, and by `id` where two readings share a moment. Negative when `a` is older. */
export function compareReadings(a: Reading, b: Reading): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id - b.id;
}
