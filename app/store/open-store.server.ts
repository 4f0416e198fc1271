import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import { countedStore } from './counted-store.server';
import type { ReadingStore } from './reading-store';

const opened = singleton('store', (): { store: ReadingStore | null } => ({ store: null }));

/**
 * Opens the store that the settings ask for, once per process. Only the code of that store is loaded: a hosted
 * server never loads the native SQLite library.
 *
 * @throws StartupError if the store can't be opened
 */
export async function openStore(): Promise<ReadingStore> {
  opened.store ??= countedStore(await open());
  return opened.store;
}

/** Returns the store that `openStore` opened at boot. */
export function getStore(): ReadingStore {
  if (!opened.store) throw new Error('The store is not open: boot() must have finished first.');
  return opened.store;
}

async function open(): Promise<ReadingStore> {
  const { supabase, DATABASE_PATH, thresholds } = getEnv();
  if (supabase) {
    const { openSupabaseStore } = await import('./supabase/supabase-store.server');
    return openSupabaseStore(supabase);
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.server');
  return openSqliteStore(DATABASE_PATH, thresholds);
}
