import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import { guardNewSensors } from './guard-new-sensors.server';
import type { ReadingStore } from './reading-store';
import { countedStore, stoppableStore } from './wrap-store.server';

const opened = singleton('store', (): { store: ReadingStore | null } => ({ store: null }));

/**
 * Opens the store that the settings name, once per process. Loads only that store's code: a hosted server never loads
 * the native SQLite library.
 *
 * @throws StartupError if the store can't be opened
 */
export async function openStore(): Promise<ReadingStore> {
  opened.store ??= countedStore(guardNewSensors(await open(), getEnv().MAX_SENSORS));
  return opened.store;
}

/**
 * Returns the store that `openStore` opened at boot.
 *
 * @param signal ends the store's reads when aborted
 */
export function getStore(signal?: AbortSignal): ReadingStore {
  if (!opened.store) throw new Error('The store is not open: boot() must have finished first.');
  return signal ? stoppableStore(opened.store, signal) : opened.store;
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
