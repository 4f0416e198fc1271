/**
 * A shared worker: one stream for all of a browser's tabs. HTTP/1.1 gives a browser six connections to a
 * host, and the seventh page with a stream of its own would hang.
 */
import { connectEventSource } from './event-source-connection';
import type { FeedListener } from './live-feed';

/** What the worker tells a page. A page tells the worker `join` and `leave`. */
export type WorkerMessage = {
  [K in keyof FeedListener]: { call: K; argument?: Parameters<FeedListener[K]>[0] };
}[keyof FeedListener];

const pages = new Set<MessagePort>();
let disconnect: (() => void) | undefined;
/** A page has left since the stream was opened. */
let hasLeaver = false;
let state: 'onConnected' | 'onDisconnected' | undefined;

function tell(message: WorkerMessage): void {
  for (const page of pages) page.postMessage(message);
}

function change(call: 'onConnected' | 'onDisconnected'): void {
  state = call;
  tell({ call });
}

function join(page: MessagePort): void {
  pages.add(page);
  // A page that was hidden or offline leaves and joins again, and by then the stream may be dead without
  // anyone having been told, as after a sleep or in another network: it gets a new one, and so do the others.
  if (hasLeaver) disconnectAll();
  if (state) page.postMessage({ call: state } satisfies WorkerMessage);
  disconnect ??= connect();
}

function connect(): () => void {
  hasLeaver = false;
  return connectEventSource({
    onInsert: (argument) => tell({ call: 'onInsert', argument }),
    onConnected: () => change('onConnected'),
    onDisconnected: () => change('onDisconnected'),
  });
}

function disconnectAll(): void {
  disconnect?.();
  disconnect = undefined;
  state = undefined;
}

function leave(page: MessagePort): void {
  pages.delete(page);
  hasLeaver = true;
  if (pages.size === 0) disconnectAll();
}

addEventListener('connect', (event) => {
  const [page] = (event as MessageEvent).ports;
  if (!page) return;
  page.onmessage = ({ data }) => (data === 'join' ? join(page) : leave(page));
});
