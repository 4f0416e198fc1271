/** The findings about a room from one UTC day of a sensor's readings. They can always be computed again. */
export interface RoomDay {
  /** `UNNAMED` for the unnamed sensor. */
  sensor: string;
  /** The beginning of the UTC day, in seconds since 1970. */
  day: number;
  /** Identifies the readings and rules behind the findings. If it differs, the findings are out of date. */
  key: string;
  /** A `RoomFindings`, as JSON. */
  findings: string;
}

/** Selects days of one sensor that begin at `from` or later, and before `to`, in seconds since 1970. */
interface RoomDaysQuery {
  sensor: string;
  from: number;
  to: number;
  signal?: AbortSignal;
}

/** Keeps findings about rooms. Every method fails with `StoreUnavailableError` when the store can't be reached. */
export interface RoomStore {
  /** False if findings are lost at a restart. */
  readonly isLasting: boolean;
  /** Returns the kept days, oldest first, including out-of-date ones. */
  days(query: RoomDaysQuery): Promise<RoomDay[]>;
  /** Stores days, in place of older versions. Ignores days of sensors without readings. */
  keep(days: readonly RoomDay[]): Promise<void>;
}
