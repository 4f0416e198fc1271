/** The days for which deleted readings can be brought back. */
export const KEPT_DAYS = 7;

/** Selects the readings to delete: a span of a sensor, all of it, or one reading. */
export interface DeletionQuery {
  /** `UNNAMED` for the unnamed sensor. */
  sensor: string;
  /** Selects readings measured at or after this time, ISO 8601 in UTC with `Z`. */
  from?: string;
  /** Selects readings measured before this time. */
  to?: string;
  /** Selects the reading with this id, instead of a span. */
  id?: number;
}

/** A deletion to carry out. */
export interface NewDeletion extends DeletionQuery {
  /** Identifies the deletion, for `restore`. */
  restore: string;
  /** The readings are kept until this time. */
  until: string;
}

/** A deletion whose readings are kept. */
export interface Deletion {
  restore: string;
  /** The number of its readings. */
  deleted: number;
  /** The times of the first and the last of them. */
  from: string;
  to: string;
  until: string;
}

/**
 * The outcome of a restoration. `conflicts` is the number of readings that stay deleted, because the sensor has others at their
 * times. `expired`: the readings were given up.
 */
export type RestoreOutcome =
  | { outcome: 'restored'; sensor: string; restored: number; conflicts: number }
  | { outcome: 'unknown' | 'expired' };

/**
 * Deletes readings, and keeps them aside for a while. Works in steps, so that inserts wait only for one step. Every method fails
 * with `StoreUnavailableError` when the store can't be reached; a repetition then deletes the rest.
 */
export interface DeletionStore {
  /** Deletes the selected readings, and returns their number; null for a sensor without readings. */
  remove(deletion: NewDeletion): Promise<number | null>;
  /** Brings the readings of a deletion back as they were, to the sensor that has its name now. */
  restore(id: string): Promise<RestoreOutcome>;
  /** Returns the deletions of a sensor whose readings are kept, the last ones first. */
  list(sensor: string): Promise<Deletion[]>;
  /** Gives up the readings whose time is over, and what is left of sensors that had no others. */
  giveUp(): Promise<void>;
}

/** The most deletions that `list` returns. */
export const MAX_DELETIONS = 100;
