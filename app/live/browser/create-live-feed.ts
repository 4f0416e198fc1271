import type { WorkerMessage } from './event-source-worker';
import { connectEventSource, type FeedListener, type FeedSettings, type LiveFeed } from './live-feed';

/** Creates the feed that the settings name. Loads the Supabase code only if needed. */
export async function createLiveFeed(settings: FeedSettings): Promise<LiveFeed> {
  if (settings.kind === 'event-source') return createEventSourceFeed();
  const { createSupabaseFeed } = await import('./supabase-feed');
  return createSupabaseFeed(settings);
}

/**
 * Creates the embedded store's feed: `GET /api/live` through a worker that all tabs of the browser share, or directly
 * from this page if the browser has no shared workers (Chrome on Android before 2026) or denies them (in a frame of
 * another site, with its storage blocked).
 *
 * The store assigns ids in commit order, so new rows always have the highest ids.
 */
export function createEventSourceFeed(): LiveFeed {
  return {
    lookback: 1,
    firstPart: Number.POSITIVE_INFINITY,
    deliversEveryInsert: true,
    silentReason:
      'The live stream is connected but delivers nothing. A proxy between this browser and the server may hold it ' +
      'back: it must not buffer /api/live.',
    subscribe: (listener) => {
      const worker = startWorker();
      return worker ? joinWorker(worker, listener) : connectEventSource(listener);
    },
  };
}

function startWorker(): SharedWorker | null {
  if (typeof SharedWorker === 'undefined') return null;
  try {
    return new SharedWorker(new URL('./event-source-worker.ts', import.meta.url), {
      type: 'module',
      name: 'airboard-live',
    });
  } catch {
    return null;
  }
}

function joinWorker(worker: SharedWorker, listener: FeedListener): () => void {
  const { port } = worker;
  let stop = () => {
    // If the script fails to load later, it must not open a stream, which nothing would close.
    worker.onerror = null;
    port.postMessage('leave');
    port.close();
  };
  // Called if the worker's script can't be loaded, for example after an update of the server.
  worker.onerror = () => {
    stop();
    stop = connectEventSource(listener);
  };
  port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => listener[data.call]?.(data.argument as never);
  port.postMessage('join');
  return () => stop();
}
