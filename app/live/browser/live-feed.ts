import type { Reading } from '../../readings/reading';

/**
 * How many ids a hosted store's feed may have skipped: Postgres assigns ids before the commit, so a row may appear below
 * newer ones. A transaction of the public key's role lasts at most 3 s, a free project takes 100 messages a second, and
 * a batch takes up to 500 ids.
 */
export const HOSTED_LOOKBACK = 800;

/** The page's feed, from the server's settings. */
export type FeedSettings = { kind: 'event-source' } | { kind: 'supabase'; url: string; key: string };

export interface FeedListener {
  /**
   * A stored reading, or null if its values are missing. May come twice, late or out of order.
   *
   * @param storedAt when it was stored, in milliseconds, by a clock that may differ from the server's
   */
  onInsert(reading: Reading | null, storedAt?: number): void;
  /** Inserts arrive from now on: time to fetch the missed ones. May come more than once. */
  onConnected(): void;
  /** Inserts no longer arrive. The feed reconnects automatically. */
  onDisconnected(reason?: string): void;
}

export interface LiveFeed {
  /**
   * How many ids below the newest a page asks for again: as far as a new row may still appear there, and at least 1, because a
   * missing newest reading shows that the table was replaced.
   */
  readonly lookback: number;
  /** How many of the newest readings a page fetches first, if the store is slow. */
  readonly firstPart: number;
  /** True if a connected feed loses no insert; false if the page has to fetch when it sees a gap in the ids. */
  readonly deliversEveryInsert: boolean;
  /** Explains why a connected feed delivers nothing, and what to do. */
  readonly silentReason?: string;
  /** Calls the listener, never before it has returned, until the returned function is called. */
  subscribe(listener: FeedListener): () => void;
}
