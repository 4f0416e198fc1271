import type { SummaryAnswer } from '../readings/history/history-answer';
import type { MetricField, Thresholds } from '../readings/metric';
import type { Reading, ReadingInput, SensorSummary } from '../readings/reading';
import type { RollUp } from '../readings/roll-up/roll-up';
import type { AlertStore } from './alert-store';

/** Selects readings. Without members it selects all of them. */
export interface ReadingQuery {
  /** Selects the newest `limit` readings. */
  limit?: number;
  /** Selects readings with a higher id. */
  after?: number;
  /** Selects the readings of one sensor; `UNNAMED` is one of them. */
  sensor?: string;
  /** Selects readings measured at or after this time, ISO 8601 in UTC with `Z`. */
  from?: string;
  /** Selects readings measured before this time. */
  to?: string;
  /** Ends the read when aborted. */
  signal?: AbortSignal;
}

/** Selects steps of one sensor's history. All numbers are whole seconds; times are since 1970. */
export interface HistoryQuery {
  /** `UNNAMED` for the unnamed one. */
  sensor: string;
  /** Selects the steps that begin at `from` or later, and before `to`. Both are beginnings of steps. */
  from: number;
  to: number;
  /** The length of a step, one of `STEPS`. */
  step: number;
  /**
   * How much later than at multiples of its length each step begins: less than a step, and a multiple of `SLOT_SECONDS`.
   * With it, a step is at least a slot long. The hours of a time zone may begin at half past.
   */
  phase?: number;
  /** The limits of the levels: a setting of the server, which may be another one at its next start. */
  thresholds: Thresholds;
  /** Ends the read when aborted. */
  signal?: AbortSignal;
}

/** Selects a span of one sensor's history, from `from` and before `to`, in whole seconds since 1970. */
export type SummaryQuery = Pick<HistoryQuery, 'sensor' | 'from' | 'to' | 'thresholds' | 'signal'>;

/**
 * The outcome of an insert: the reading is stored now, its sensor and time were known with the same values, or with others.
 * `reading` is the one that the store has.
 */
export interface InsertResult {
  outcome: 'stored' | 'duplicate' | 'conflict';
  reading: Reading;
}

/** The most readings that `insertAll` takes at a time, so that none of its transactions holds up other requests. */
export const BATCH_READINGS = 500;

/** Keeps readings. Every method except `close` fails with `StoreUnavailableError` when the store can't be reached. */
export interface ReadingStore {
  /** The store's name in `/healthz`. */
  readonly kind: 'sqlite' | 'supabase';
  /** True if an insert holds the event loop, so that large batches delay other requests. */
  readonly blocksOnInsert: boolean;
  /** The store and its location, for the log. */
  readonly description: string;
  /**
   * Stores a reading and resolves once it is durable. A reading without `created_at` gets a time that its sensor has not
   * used yet, so it is always stored.
   *
   * @throws ReadingRejectedError if the store will never accept these values
   */
  insert(reading: ReadingInput): Promise<InsertResult>;
  /**
   * Stores up to `BATCH_READINGS` readings in one transaction, in their order, and resolves once they are durable.
   *
   * @returns the outcome of each; a `ReadingRejectedError` instead for one that the store will never accept
   */
  insertAll(readings: readonly ReadingInput[]): Promise<(InsertResult | ReadingRejectedError)[]>;
  /** Returns the newest `limit` readings, oldest first; with `after`, the newest of those with a higher id. */
  newest(limit: number, query?: Pick<ReadingQuery, 'after' | 'sensor' | 'signal'>): Promise<Reading[]>;
  /** Yields pages of readings, oldest first, or in the order of id if `after` is given, in constant memory. */
  read(query: ReadingQuery): AsyncIterable<Reading[]>;
  /**
   * Yields the roll-ups of the steps that have readings, oldest first, none for an unknown sensor. They are exact for all
   * readings that are stored by then. A slot's time in a level is that of the step with its first value of the metric.
   */
  rollUps(query: HistoryQuery): AsyncIterable<RollUp[]>;
  /** Summarizes a span that isn't empty. Only of a store that is quicker than `summarize`, which reads its roll-ups. */
  readonly summary?: (query: SummaryQuery) => Promise<SummaryAnswer>;
  /**
   * Returns the metrics that stored readings of one sensor, or of all, have values of. It may return more, never fewer; CO2
   * and VOC may be missing. It reads no readings.
   */
  measured(sensor?: string): Promise<readonly MetricField[]>;
  /** Counts the readings of one sensor, or of all, but no further than `upTo`. */
  count(upTo: number, sensor?: string): Promise<number>;
  /** Returns every sensor that has readings, the one with the newest reading first. */
  sensors(): Promise<SensorSummary[]>;
  /** Returns the sensors that a page lists: `MAX_SENSORS` of those heard last, ordered by `newestFirst`. */
  lastHeard(shown?: string): Promise<SensorSummary[]>;
  /** Returns text that changes whenever stored readings change; null if the store can't tell without reading them. */
  readonly version: (() => Promise<string>) | null;
  /** What the alerts know; null if the store doesn't keep it with the keys that are set. */
  readonly alerts: AlertStore | null;
  /**
   * Returns how far the clock that times readings was ahead of the server's at the last insert, in milliseconds; only of a
   * store with a clock of its own.
   */
  readonly clockLeadMs?: () => number;
  /** The inserts of this process; null if pages get inserts from the store itself. */
  readonly inserts: InsertSource | null;
  /** Succeeds if a reading could be stored now and stored readings are intact. The error says what is wrong. */
  checkHealth(): Promise<void>;
  /** Finishes pending inserts and releases the store. */
  close(): Promise<void>;
}

/** Reports each reading after it is durable. */
export interface InsertSource {
  /** Calls `listener` for every insert until the returned function is called. */
  subscribe(listener: (reading: Reading) => void): () => void;
}

/** Thrown when the store can't be reached or can't write at the moment; the message is meant for the client. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';

  constructor(
    message: string,
    /** Seconds until a retry makes sense. */
    readonly retryAfterSeconds: number = 5,
    /** True if the readings may have been stored anyway; a retry then stores those without `created_at` twice. */
    readonly mayBeStored: boolean = false,
  ) {
    super(message);
  }
}

/** Thrown when the store will never accept a reading; the message says why. */
export class ReadingRejectedError extends Error {
  override name = 'ReadingRejectedError';
}
