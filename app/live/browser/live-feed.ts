import { atBase } from '../../base-path';
import type { Reading } from '../../readings/reading';

/**
 * The number of ids that a hosted store's feed may have skipped. Postgres assigns ids before the commit, so a row may
 * appear below newer ones. A transaction of the public key's role lasts at most 3 s, a free project takes 100 messages
 * a second, and a batch takes up to 500 ids.
 */
export const HOSTED_LOOKBACK = 800;

/**
 * The delay before a new attempt after an error response, because browsers don't retry then. They use the same delay
 * after a drop.
 */
const REOPEN_MS = 1000;
/**
 * The time limit for connecting. A browser waits for minutes if nothing answers, as on a connection that died silently.
 */
const OPEN_WITHIN_MS = 5000;

/** The settings of the page's feed, as sent by the server. */
export type FeedSettings = { kind: 'event-source' } | { kind: 'supabase'; url: string; key: string };

export interface FeedListener {
  /**
   * Called with a stored reading, or with null if its values are missing. May be called twice, late or out of order.
   *
   * @param storedAt the time of storing in milliseconds, by a clock that may differ from the server's
   */
  onInsert(reading: Reading | null, storedAt?: number): void;
  /** Called when inserts arrive from now on, so that missed ones can be fetched. May be called more than once. */
  onConnected(): void;
  /** Called after a change of a sensor's settings or name. */
  onSettings?(): void;
  /** Called after readings of this sensor were deleted or brought back. */
  onChanged?(sensor: string): void;
  /** Called when inserts no longer arrive. The feed reconnects automatically. */
  onDisconnected(reason?: string): void;
}

export interface LiveFeed {
  /**
   * The number of ids below the newest that a page requests again, because new rows may still appear there. At least 1,
   * because a missing newest reading shows that the table was replaced.
   */
  readonly lookback: number;
  /** The number of newest readings that a page fetches first if the store is slow. */
  readonly firstPart: number;
  /** True if a connected feed loses no inserts. If false, the page has to fetch when it sees a gap in the ids. */
  readonly deliversEveryInsert: boolean;
  /** Explains why a connected feed delivers nothing, and what to do. */
  readonly silentReason?: string;
  /** Calls the listener until the returned function is called. The first call comes after `subscribe` has returned. */
  subscribe(listener: FeedListener): () => void;
}

/**
 * Keeps one `EventSource` on `/api/live` open. The browser reconnects after a drop; this function opens a new source
 * when the browser has given up. Runs in a page or in a shared worker.
 *
 * @returns a function that closes it
 */
export function connectEventSource(listener: FeedListener): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    const opened = new EventSource(atBase('/api/live'));
    source = opened;
    function replace(): void {
      opened.close();
      listener.onDisconnected();
      open();
    }
    timer = setTimeout(replace, OPEN_WITHIN_MS);
    opened.onopen = () => {
      clearTimeout(timer);
      listener.onConnected();
    };
    opened.onmessage = ({ data }) => {
      const { new: reading }: { new: Reading } = JSON.parse(data);
      listener.onInsert(reading);
    };
    opened.addEventListener('settings', () => listener.onSettings?.());
    opened.addEventListener('readings', ({ data }) => {
      const { sensor }: { sensor: string } = JSON.parse(data);
      listener.onChanged?.(sensor);
    });
    opened.onerror = () => {
      clearTimeout(timer);
      const hasGivenUp = opened.readyState === EventSource.CLOSED;
      timer = hasGivenUp ? setTimeout(open, REOPEN_MS) : setTimeout(replace, OPEN_WITHIN_MS);
      listener.onDisconnected();
    };
  }

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
