import type { Reading } from '../../readings/reading';
import type { FeedListener } from './live-feed';

/**
 * The delay before a new attempt after an error response, because browsers don't retry then. They use the same delay
 * after a drop.
 */
const REOPEN_MS = 1000;
/**
 * The time limit for connecting. A browser waits for minutes if nothing answers, as on a connection that died silently.
 */
const OPEN_WITHIN_MS = 5000;

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
    const opened = new EventSource('/api/live');
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
