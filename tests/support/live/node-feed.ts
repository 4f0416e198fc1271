import { WebSocket } from 'ws';
import { createSupabaseFeed } from '../../../app/live/browser/supabase-feed';
import type { Call, SubscribableFeed, Subscription } from '../../contracts/live-feed-contract';

/**
 * Runs the hosted feed in Node with the `WebSocket` of the package `ws`. Node 20 has none, and Node 22's never closes
 * after a refused handshake, unlike a browser's.
 */
export function supabaseFeedInNode(settings: { url: string; key: string }): SubscribableFeed {
  globalThis.WebSocket = WebSocket as never;
  const feed = createSupabaseFeed(settings);

  function subscribe(): Subscription {
    const calls: Call[] = [];
    const stop = feed.subscribe({
      onInsert: (reading) => calls.push({ method: 'onInsert', reading }),
      onConnected: () => calls.push({ method: 'onConnected' }),
      onDisconnected: () => calls.push({ method: 'onDisconnected' }),
    });
    return { calls: async () => [...calls], stop: async () => stop() };
  }

  return {
    connectedCalls: 2,
    subscribe: async () => subscribe(),
    async subscribeTwice() {
      subscribe().stop();
      return subscribe();
    },
  };
}
