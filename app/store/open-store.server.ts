import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import { countedStore } from './counted-store.server';
import { guardNewSensors } from './guard-new-sensors.server';
import type { ReadingStore } from './reading-store';

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

/** Returns a store whose reads end once the signal is aborted, before their next page. */
export function stoppableStore(store: ReadingStore, signal: AbortSignal): ReadingStore {
  async function* untilAborted<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
    signal.throwIfAborted();
    for await (const page of pages) {
      yield page;
      signal.throwIfAborted();
    }
  }

  async function start<Result>(read: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    return read();
  }

  const { summary, room, notes } = store;
  return {
    ...store,
    summary: summary && ((query) => start(() => summary({ ...query, signal }))),
    newest: (limit, query) => start(() => store.newest(limit, { ...query, signal })),
    read: (query) => untilAborted(store.read({ ...query, signal })),
    rollUps: (query) => untilAborted(store.rollUps({ ...query, signal })),
    measured: (sensor) => start(() => store.measured(sensor)),
    count: (...asked) => start(() => store.count(...asked)),
    sensors: (...asked) => start(() => store.sensors(...asked)),
    lastHeard: (shown) => start(() => store.lastHeard(shown)),
    room: { ...room, days: (query) => start(() => room.days({ ...query, signal })) },
    notes: { ...notes, list: (query) => start(() => notes.list({ ...query, signal })) },
  };
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
