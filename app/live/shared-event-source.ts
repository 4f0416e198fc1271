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
  if (state) page.postMessage({ call: state } satisfies WorkerMessage);
  disconnect ??= connectEventSource({
    onInsert: (argument) => tell({ call: 'onInsert', argument }),
    onConnected: () => change('onConnected'),
    onDisconnected: () => change('onDisconnected'),
  });
}

function leave(page: MessagePort): void {
  pages.delete(page);
  if (pages.size > 0) return;
  disconnect?.();
  disconnect = undefined;
  state = undefined;
}

addEventListener('connect', (event) => {
  const [page] = (event as MessageEvent).ports;
  if (!page) return;
  page.onmessage = ({ data }) => (data === 'join' ? join(page) : leave(page));
});
