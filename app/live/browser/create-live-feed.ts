import { createEventSourceFeed } from './event-source-feed';
import type { FeedSettings, LiveFeed } from './live-feed';

/** Creates the feed named by the settings. Loads the Supabase code only if needed. */
export async function createLiveFeed(settings: FeedSettings): Promise<LiveFeed> {
  if (settings.kind === 'event-source') return createEventSourceFeed();
  const { createSupabaseFeed } = await import('./supabase-feed');
  return createSupabaseFeed(settings);
}
