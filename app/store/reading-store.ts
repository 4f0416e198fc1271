import type { Reading, ReadingInput } from '../readings/reading';

/** Selects readings. Without members it selects all of them. */
export interface ReadingQuery {
  /** Selects the newest `limit` readings. */
  limit?: number;
  /** Selects readings with a higher id. */
  after?: number;
}

/** Keeps readings. Every method except `close` fails with `StoreUnavailableError` when the store can't be reached. */
export interface ReadingStore {
  /** The store's name in `/healthz`. */
  readonly kind: 'sqlite' | 'supabase';
  /** The store and its location, for the log. */
  readonly description: string;
  /**
   * Stores a reading and resolves once it is durable, with its id and time.
   *
   * @throws ReadingRejectedError if the store will never accept these values
   */
  insert(reading: ReadingInput): Promise<Reading>;
  /** Returns the newest `limit` readings, oldest first; with `after`, the newest of those with a higher id. */
  newest(limit: number, after?: number): Promise<Reading[]>;
  /** Yields pages of readings, oldest first, in constant memory. */
  read(query: ReadingQuery): AsyncIterable<Reading[]>;
  /** Counts readings, but no further than `upTo`. */
  count(upTo: number): Promise<number>;
  /** Returns text that changes whenever stored readings change; null if the store can't tell without reading them. */
  readonly version: (() => Promise<string>) | null;
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
    /** True if the reading may have been stored anyway, so that a retry could store it twice. */
    readonly mayBeStored: boolean = false,
  ) {
    super(message);
  }
}

/** Thrown when the store will never accept a reading; the message says why. */
export class ReadingRejectedError extends Error {
  override name = 'ReadingRejectedError';
}
