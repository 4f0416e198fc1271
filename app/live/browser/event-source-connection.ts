import type { Reading } from '../../readings/reading';
import type { FeedListener } from './live-feed';

/** A browser gives up on a stream that answers with an error; this tries again after as long as it would. */
const REOPEN_MS = 1000;
/** A browser waits for minutes where nothing answers, as on a connection that died in silence. */
const OPEN_WITHIN_MS = 5000;

/**
 * One `EventSource` on `/api/live` that stays: the browser reconnects it after a drop, and this opens a
 * new one where the browser has given up. Runs in a page or in a shared worker.
 *
 * @returns the way to close it
 */
export function connectEventSource(listener: FeedListener): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    const opened = new EventSource('/api/live');
    source = opened;
    function giveUp(): void {
      opened.close();
      listener.onDisconnected();
      open();
    }
    timer = setTimeout(giveUp, OPEN_WITHIN_MS);
    opened.onopen = () => {
      clearTimeout(timer);
      listener.onConnected();
    };
    opened.onmessage = ({ data }) => listener.onInsert((JSON.parse(data) as { new: Reading }).new);
    opened.onerror = () => {
      clearTimeout(timer);
      const isGivenUp = opened.readyState === EventSource.CLOSED;
      timer = isGivenUp ? setTimeout(open, REOPEN_MS) : setTimeout(giveUp, OPEN_WITHIN_MS);
      listener.onDisconnected();
    };
  }

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
