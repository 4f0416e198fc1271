import { getEnv } from '../../config/env.server';
import type { FeedSettings } from '../browser/live-feed';

/** Which feed the pages of this server use. What is in here reaches every browser. */
export function feedSettings(): FeedSettings {
  const { supabase } = getEnv();
  return supabase
    ? { kind: 'supabase', url: supabase.url, key: supabase.publicKey }
    : { kind: 'event-source' };
}

/** Where the pages of this feed connect to besides their own origin: for the Content-Security-Policy. */
export function feedOrigins(settings: FeedSettings): string[] {
  if (settings.kind !== 'supabase') return [];
  const { origin } = new URL(settings.url);
  return [origin, origin.replace(/^http/, 'ws')];
}
