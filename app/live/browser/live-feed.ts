import type { Reading } from '../../readings/reading';

/** Which feed the page uses: the root loader hands it from the server's settings to the browser. */
export type FeedSettings = { kind: 'event-source' } | { kind: 'supabase'; url: string; key: string };

export interface FeedListener {
  /** A stored reading, or null where its values did not come; may come twice, late or out of order. */
  onInsert(reading: Reading | null): void;
  /** Inserts arrive from here on: the page asks for what it missed. May come more than once. */
  onConnected(): void;
  /** Inserts don't arrive, and the feed is trying again by itself. */
  onDisconnected(reason?: string): void;
}

/** How an insert reaches this browser. */
export interface LiveFeed {
  /**
   * How many ids below the newest one a row may still appear that the page has not seen. Above 0, inserts
   * may also go missing: a gap between their ids makes the page ask.
   */
  readonly overlap: number;
  /** Starts telling the listener; returns the way to stop, after which it hears nothing more. */
  subscribe(listener: FeedListener): () => void;
}
