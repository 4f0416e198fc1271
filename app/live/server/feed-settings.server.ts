import { getEnv } from '../../config/env.server';
import type { FeedSettings } from '../browser/live-feed';

/**
 * Returns the settings of the feed that this server's pages use. They contain no secrets, because every browser gets
 * them.
 */
export function feedSettings(): FeedSettings {
  const { supabase } = getEnv();
  return supabase
    ? { kind: 'supabase', url: supabase.url, key: supabase.publicKey }
    : { kind: 'event-source' };
}

/** Returns the origins that pages with this feed connect to, for the Content-Security-Policy. */
export function feedOrigins(settings: FeedSettings): string[] {
  if (settings.kind !== 'supabase') return [];
  const { origin } = new URL(settings.url);
  return [origin, origin.replace(/^http/, 'ws')];
}
