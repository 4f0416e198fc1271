import { getEnv } from '../config/env.server';

/** Returns which setting is missing where there are no notifications. With Supabase they need its secret key. */
export function missingSetting(): 'NOTIFY_URLS' | 'SUPABASE_SECRET_KEY' {
  return getEnv().alerts ? 'SUPABASE_SECRET_KEY' : 'NOTIFY_URLS';
}
