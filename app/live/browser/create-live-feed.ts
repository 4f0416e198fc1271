import { createEventSourceFeed } from './event-source-feed';
import type { FeedSettings, LiveFeed } from './live-feed';

/** Creates the feed that the settings name. The code for Supabase is loaded only if they name it. */
export async function createLiveFeed(settings: FeedSettings): Promise<LiveFeed> {
  if (settings.kind === 'event-source') return createEventSourceFeed();
  const { createSupabaseFeed } = await import('./supabase-feed');
  return createSupabaseFeed(settings);
}
