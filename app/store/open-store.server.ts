import { type Env, getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import type { AskedSensor } from '../readings/sensor';
import { guardNewSensors } from './guard-new-sensors.server';
import { KnownSettings, withSettings } from './known-settings.server';
import { type ReadingStore, StoreUnavailableError } from './reading-store';
import { countedStore, stoppableStore } from './wrap-store.server';

const opened = singleton('store', (): { store: ReadingStore | null; settings: KnownSettings | null } => ({
  store: null,
  settings: null,
}));

/**
 * Opens the store that the settings name, once per process. Loads only that store's code: a hosted server never loads
 * the native SQLite library.
 *
 * @throws StartupError if the store can't be opened
 */
export async function openStore(): Promise<ReadingStore> {
  if (!opened.store) {
    const store = countedStore(guardNewSensors(await open(), getEnv().MAX_SENSORS));
    opened.settings = new KnownSettings(store, getEnv().thresholds);
    opened.store = withDeletions(withSettings(store, opened.settings));
    await opened.settings.keep(store.kind);
    giveUpLater(store, FIRST_MS);
  }
  return opened.store;
}

const changes = singleton('deletions', () => ({
  listeners: new Set<(sensor: string) => void>(),
  since: Date.now().toString(36),
  count: 0,
}));

/** Calls `listener` after readings of a sensor were deleted or brought back by this process. */
export function onDeletion(listener: (sensor: string) => void): void {
  changes.listeners.add(listener);
}

/** Returns a text that changes when this process deletes readings or brings them back. Ends with `.0` until then. */
export const deletionMark = (): string => `${changes.since}.${changes.count}`;

function withDeletions(store: ReadingStore): ReadingStore {
  const { deletions } = store;
  const announce = (sensor: string) => {
    changes.count += 1;
    for (const listener of changes.listeners) listener(sensor);
  };
  return {
    ...store,
    deletions: {
      ...deletions,
      // After a failure, some of the readings may be deleted.
      remove: (deletion) => deletions.remove(deletion).finally(() => announce(deletion.sensor)),
      async restore(id) {
        const result = await deletions.restore(id);
        if (result.outcome === 'restored') announce(result.sensor);
        return result;
      },
    },
  };
}

/** The delay after the start before deleted readings are given up, and the interval of doing so. */
const FIRST_MS = 60_000;
const GIVE_UP_MS = 3_600_000;

function giveUpLater(store: Pick<ReadingStore, 'deletions'>, ms: number): void {
  const giveUp = async () => {
    try {
      await store.deletions.giveUp();
    } catch (error) {
      // The next attempt comes in an hour.
      if (!(error instanceof StoreUnavailableError)) throw error;
    } finally {
      giveUpLater(store, GIVE_UP_MS);
    }
  };
  setTimeout(giveUp, ms).unref();
}

/** Returns the settings of the store's sensors. */
export function getSettings(): KnownSettings {
  if (!opened.settings) throw new Error('The store is not open: boot() must have finished first.');
  return opened.settings;
}

/** Returns the settings of the server, with a sensor's own thresholds. */
export function settingsFor(sensor: string): Env {
  return { ...getEnv(), thresholds: getSettings().thresholdsOf(sensor) };
}

/** Replaces former names in a page's query by the current ones. */
export function currentNames({ chosen, remembered }: AskedSensor): AskedSensor {
  const nameOf = (sensor: string | undefined) => sensor && getSettings().nameOf(sensor);
  return { chosen: nameOf(chosen), remembered: nameOf(remembered) };
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
