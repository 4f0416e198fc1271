import { connectEventSource } from './event-source-connection';
import type { FeedListener, LiveFeed } from './live-feed';
import type { WorkerMessage } from './shared-event-source';

/**
 * The embedded store's feed: `GET /api/live`, through a worker that all tabs of the browser share, or
 * straight from this page where the browser has no shared workers (Chrome on Android: one visible tab).
 *
 * The store gives ids in the order of its commits, so nothing appears below the newest one: no overlap.
 */
export function createEventSourceFeed(): LiveFeed {
  return {
    overlap: 0,
    subscribe: (listener) =>
      typeof SharedWorker === 'undefined' ? connectEventSource(listener) : joinWorker(listener),
  };
}

function joinWorker(listener: FeedListener): () => void {
  const worker = new SharedWorker(new URL('./shared-event-source.ts', import.meta.url), {
    type: 'module',
    name: 'airboard-live',
  });
  const { port } = worker;
  let stop = () => {
    port.postMessage('leave');
    port.close();
  };
  // The worker's script can't be loaded, say after an update of the server: the page connects by itself.
  worker.onerror = () => {
    stop = connectEventSource(listener);
  };
  port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.call === 'onInsert') listener.onInsert(data.argument as never);
    else listener[data.call]();
  };
  port.postMessage('join');
  return () => stop();
}
