import { useRouteLoaderData } from '@remix-run/react';
import type { FeedSettings } from './live-feed';

/** Which feed this server's pages use, as the root loader says. The same object on every render. */
export function useFeedSettings(): FeedSettings {
  const data = useRouteLoaderData<{ feed: FeedSettings }>('root');
  if (!data) throw new Error('only pages below the root route have a feed');
  return data.feed;
}
