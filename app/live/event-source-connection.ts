import type { Reading } from '../readings/reading';
import type { FeedListener } from './live-feed';

/** A browser gives up on a stream that answers with an error; this tries again after as long as it would. */
const REOPEN_MS = 1000;

/**
 * One `EventSource` on `/api/live` that stays: the browser reconnects it after a drop, and this opens a
 * new one where the browser has given up. Runs in a page or in a shared worker.
 *
 * @returns the way to close it
 */
export function connectEventSource(listener: FeedListener): () => void {
  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    const opened = new EventSource('/api/live');
    source = opened;
    opened.onopen = () => listener.onConnected();
    opened.onmessage = ({ data }) => listener.onInsert((JSON.parse(data) as { new: Reading }).new);
    opened.onerror = () => {
      listener.onDisconnected();
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
    };
  }

  open();
  return () => {
    clearTimeout(reopening);
    source?.close();
  };
}
