import type { SummaryAnswer } from '../readings/history/history-answer';
import type { MetricField, Thresholds } from '../readings/metric';
import type { Reading, ReadingInput, SensorSummary } from '../readings/reading';
import type { RollUp } from '../readings/roll-up/roll-up';
import type { RoomTotals } from '../readings/roll-up/room-totals';
import type { OffsetPeriod } from '../readings/time/local-time';
import type { AlertStore } from './alert-store';
import type { DeletionStore } from './deletion-store';
import type { NoteStore } from './note-store';
import type { RoomStore } from './room-store';
import type { SettingsStore } from './settings-store';

/** Selects readings. An empty query selects all of them. */
export interface ReadingQuery {
  /** Selects the newest `limit` readings. */
  limit?: number;
  /** Selects readings with a higher id. */
  after?: number;
  /** Selects the readings of one sensor, which may be `UNNAMED`. */
  sensor?: string;
  /** Selects readings measured at or after this time, ISO 8601 in UTC with `Z`. */
  from?: string;
  /** Selects readings measured before this time. */
  to?: string;
  /** Ends the read when aborted. */
  signal?: AbortSignal;
}

/** Selects steps of one sensor's history. All numbers are whole seconds, and times are since 1970. */
export interface HistoryQuery {
  /** `UNNAMED` for the unnamed sensor. */
  sensor: string;
  /** Selects the steps that begin at or after `from` and before `to`. Both must be beginnings of steps. */
  from: number;
  to: number;
  /** The length of a step, one of `STEPS`. */
  step: number;
  /**
   * The offset of the steps from multiples of their length: less than a step, and a multiple of `SLOT_SECONDS`. With an
   * offset, a step must be at least a slot long. Time zones whose hours begin at half past need an offset.
   */
  phase?: number;
  /** The thresholds of the levels, a server setting that may change at the next start. */
  thresholds: Thresholds;
  /** Ends the read when aborted. */
  signal?: AbortSignal;
}

/** Selects a span of one sensor's history in whole seconds since 1970. `to` is exclusive. */
type SummaryQuery = Pick<HistoryQuery, 'sensor' | 'from' | 'to' | 'thresholds' | 'signal'>;

/** Selects one metric of several sensors. */
interface MetricQuery {
  field: MetricField;
  /** Ends the read when aborted. */
  signal?: AbortSignal;
}

/** Selects the steps from `from` on and before `to`, in whole seconds since 1970. Both are multiples of `step`. */
export interface AveragesQuery extends MetricQuery {
  sensors: readonly string[];
  from: number;
  to: number;
  /** The length of a step in seconds, a multiple of a slot. */
  step: number;
}

/** The average of each step, oldest first; null without values. */
export interface RoomAverages {
  sensor: string;
  averages: (number | null)[];
}

/** Selects a span of each sensor, in whole seconds since 1970. */
export interface RoomsQuery extends MetricQuery {
  sensors: readonly { sensor: string; from: number; to: number }[];
  /** A time zone's periods around the spans, by which hours of the day are counted. */
  periods: readonly OffsetPeriod[];
  thresholds: Thresholds;
}

/** Selects raw readings to remove. */
export interface RawRemoval {
  /** For each sensor, the beginning of a UTC day in seconds since 1970. Readings from before it are removed. */
  before: ReadonlyMap<string, number>;
}

/**
 * The outcome of an insert. `duplicate` and `conflict` mean that a reading of the same sensor and time was already
 * stored, with the same values or with different ones. `reading` is the stored reading.
 */
export interface InsertResult {
  outcome: 'stored' | 'duplicate' | 'conflict';
  reading: Reading;
}

/** The most readings per call of `insertAll`. More would delay other requests. */
export const BATCH_READINGS = 500;

/** Stores readings. Every method except `close` fails with `StoreUnavailableError` when the store can't be reached. */
export interface ReadingStore {
  /** The store's name in `/healthz`. */
  readonly kind: 'sqlite' | 'supabase';
  /** True if an insert blocks the event loop, so that large batches delay other requests. */
  readonly blocksOnInsert: boolean;
  /** The store and its location, for the log. */
  readonly description: string;
  /**
   * Stores a reading and resolves once the reading is durable. A reading without `created_at` gets a time that its sensor
   * hasn't used yet, so it is never a duplicate.
   *
   * @throws ReadingRejectedError if the store will never accept these values
   */
  insert(reading: ReadingInput): Promise<InsertResult>;
  /**
   * Stores up to `BATCH_READINGS` readings in one transaction, in the given order, and resolves once they are durable.
   *
   * @returns an outcome for each reading, or a `ReadingRejectedError` if the store will never accept it
   */
  insertAll(readings: readonly ReadingInput[]): Promise<(InsertResult | ReadingRejectedError)[]>;
  /** Returns the newest `limit` readings, oldest first. With `after`, returns the newest of the readings with a higher id. */
  newest(limit: number, query?: Pick<ReadingQuery, 'after' | 'sensor' | 'signal'>): Promise<Reading[]>;
  /** Yields pages of readings in constant memory, oldest first, or ordered by id if `after` is given. */
  read(query: ReadingQuery): AsyncIterable<Reading[]>;
  /**
   * Yields the roll-ups of the steps that have readings, oldest first; none for an unknown sensor. A roll-up is exact for
   * the readings that are stored when it is read. If a slot spans several steps, its time in a level counts for the step
   * with the slot's first value of the metric.
   */
  rollUps(query: HistoryQuery): AsyncIterable<RollUp[]>;
  /**
   * Summarizes a non-empty span. Undefined if the store isn't faster at this than `summarize`, which reads the roll-ups.
   */
  readonly summary?: (query: SummaryQuery) => Promise<SummaryAnswer>;
  /** Yields the averages of sensors, in any order. May leave out sensors without values. Leaves out late readings of past days until their slots are computed. */
  averages(query: AveragesQuery): AsyncIterable<RoomAverages[]>;
  /** Yields the totals of the sensors, in their order. May leave out sensors without values. */
  roomTotals(query: RoomsQuery): AsyncIterable<RoomTotals[]>;
  /**
   * Returns the time before which only the slots of a sensor's readings are kept, in seconds since 1970; null if all readings are
   * kept. Steps that are shorter than a slot then have whole slots.
   */
  rawFrom(sensor: string): Promise<number | null>;
  /**
   * Removes raw readings and keeps their slots. Yields the number of removed readings after each step, between which others may
   * write. A sensor's first and newest reading stay, and readings that arrived after the last call.
   */
  removeRaw(removal: RawRemoval): AsyncIterable<number>;
  /**
   * Returns the metrics with stored values, for one sensor or for all. May return too many metrics, but never too few,
   * except that CO2 and VOC may be missing. Doesn't read the readings.
   */
  measured(sensor?: string): Promise<readonly MetricField[]>;
  /** Counts the readings of one sensor, or of all, and stops at `upTo`. */
  count(upTo: number, sensor?: string): Promise<number>;
  /** Returns the names of the sensors with readings or notes, in any order. */
  names(): Promise<string[]>;
  /**
   * Returns a page of the sensors with readings: the `limit` ones whose names follow `after`, in the store's order of
   * names. Without `limit`, returns all of them. Costs what the page costs.
   */
  sensors(limit?: number, after?: string): Promise<SensorSummary[]>;
  /**
   * Returns the sensors that a page lists: the `MAX_SENSORS` with the last received readings, ordered by `newestFirst`.
   * Includes `shown` if it has readings.
   */
  lastHeard(shown?: string): Promise<SensorSummary[]>;
  /**
   * Returns a text that changes whenever stored readings change; null if the store can't detect that without reading
   * them.
   */
  readonly version: (() => Promise<string>) | null;
  /** Stores the state of the notifications; null if the store can't do so with the configured keys. */
  readonly alerts: AlertStore | null;
  readonly room: RoomStore;
  readonly notes: NoteStore;
  readonly settings: SettingsStore;
  readonly deletions: DeletionStore;
  /**
   * Returns the milliseconds by which the store's clock was ahead of the server's at the last insert. Undefined unless
   * the store has its own clock.
   */
  readonly clockLeadMs?: () => number;
  /** Reports the inserts of this process; null if pages get inserts from the store itself. */
  readonly inserts: InsertSource | null;
  /** Succeeds if a reading could be stored now and the stored readings are intact. Otherwise the error says why not. */
  checkHealth(): Promise<void>;
  /** Finishes pending inserts and releases the store. */
  close(): Promise<void>;
}

/** Reports each reading after it is durable. */
export interface InsertSource {
  /** Calls `listener` for every insert until the returned function is called. */
  subscribe(listener: (reading: Reading) => void): () => void;
}

/** The reason for refusing a reading of five minutes whose readings were removed. A second one would be counted twice. */
export const REMOVED =
  "The readings of these five minutes were removed (RAW_DAYS), so airboard can't tell if this one is new.";

/** Thrown when the store can't be reached or can't write at the moment. The message is for the client. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';

  constructor(
    message: string,
    /** The seconds until a retry makes sense. */
    readonly retryAfterSeconds: number = 5,
    /** True if the readings may have been stored anyway. A retry then stores readings without `created_at` twice. */
    readonly mayBeStored: boolean = false,
  ) {
    super(message);
  }
}

/** Thrown when the store will never accept a reading. The message contains the reason. */
export class ReadingRejectedError extends Error {
  override name = 'ReadingRejectedError';
}

/** Thrown for a reading or note that would create a sensor, which the server refuses. */
export class SensorRefusedError extends ReadingRejectedError {
  override name = 'SensorRefusedError';

  constructor(
    /** Follows the word `sensor` in a message. */
    readonly reason: string,
    /** True if the name is allowed, but the server has `MAX_SENSORS` sensors. */
    readonly isFull = false,
  ) {
    super(`The sensor ${reason}.`);
  }
}
