import { WebSocket } from 'ws';
import type { FeedListener } from '../../app/live/browser/live-feed';
import { createSupabaseFeed } from '../../app/live/browser/supabase-feed';
import type { FeedUnderTest, Subscription, Told } from '../contracts/live-feed-contract';

/** The hosted feed as it is, with a WebSocket for a Node that has none. */
export function supabaseFeedInNode(settings: {
  url: string;
  key: string;
}): Pick<FeedUnderTest, 'overlap' | 'signs' | 'subscribe' | 'subscribeTwice'> {
  globalThis.WebSocket ??= WebSocket as never;
  const feed = createSupabaseFeed(settings);

  function subscribe(): Subscription {
    const told: Told[] = [];
    const listener: FeedListener = {
      onInsert: (reading) => told.push({ call: 'onInsert', reading }),
      onConnected: () => told.push({ call: 'onConnected' }),
      onDisconnected: () => told.push({ call: 'onDisconnected' }),
    };
    const stop = feed.subscribe(listener);
    return { told: async () => [...told], stop: async () => stop() };
  }

  return {
    overlap: feed.overlap,
    signs: 2,
    subscribe: async () => subscribe(),
    async subscribeTwice() {
      subscribe().stop();
      return subscribe();
    },
  };
}
