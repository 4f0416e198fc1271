/**
 * Holds one stream for all tabs of a browser. With HTTP/1.1 a browser opens at most six connections to a host, so the
 * seventh page with its own stream would hang.
 */
import { connectEventSource, type FeedListener } from './live-feed';

/** A message to a page: the name of a `FeedListener` method, and its argument. Pages send `join` and `leave`. */
export type WorkerMessage = {
  [K in keyof FeedListener]-?: { call: K; argument?: Parameters<NonNullable<FeedListener[K]>>[0] };
}[keyof FeedListener];

const pages = new Set<MessagePort>();
let disconnect: (() => void) | undefined;
let hasLeaver = false;
let state: 'onConnected' | 'onDisconnected' | undefined;

function broadcast(message: WorkerMessage): void {
  for (const page of pages) page.postMessage(message);
}

function change(call: 'onConnected' | 'onDisconnected'): void {
  state = call;
  broadcast({ call });
}

function join(page: MessagePort): void {
  pages.add(page);
  // A page that was hidden or offline leaves and joins again. The stream may have died silently meanwhile, during a
  // sleep or in another network, so all pages get a new one.
  if (hasLeaver) disconnectAll();
  if (state) page.postMessage({ call: state } satisfies WorkerMessage);
  disconnect ??= connect();
}

function connect(): () => void {
  hasLeaver = false;
  return connectEventSource({
    onInsert: (argument) => broadcast({ call: 'onInsert', argument }),
    onSettings: () => broadcast({ call: 'onSettings' }),
    onChanged: (argument) => broadcast({ call: 'onChanged', argument }),
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
  const [page] = event instanceof MessageEvent ? event.ports : [];
  if (!page) return;
  page.onmessage = ({ data }) => (data === 'join' ? join(page) : leave(page));
});
