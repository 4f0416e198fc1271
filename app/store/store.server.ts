import { getEnv } from '../env.server';
import type { Reading, ReadingInput } from '../readings/reading';
import { singleton } from '../singleton.server';
import { openSqliteStore } from './sqlite-store.server';
import { openSupabaseStore } from './supabase-store.server';

/** Which readings to read; without members, all of them. */
export interface ReadingQuery {
  /** Only the newest so many. */
  limit?: number;
  /** Only those with a higher id. */
  after?: number;
}

/** Where readings are kept. Every method but `close` rejects with `StoreUnavailable` when it can't be reached. */
export interface ReadingStore {
  /** For machines: what `/healthz` names. */
  readonly kind: 'sqlite' | 'supabase';
  /** For people: which store this is, and where. */
  readonly description: string;
  /** Keeps a reading: resolved, it is durable, and has its id and time. May reject with `ReadingRefused`. */
  insert(reading: ReadingInput): Promise<Reading>;
  /** The newest `limit` readings, oldest first; with `after`, of those with a higher id. */
  newest(limit: number, after?: number): Promise<Reading[]>;
  /** Pages of readings, oldest first, in constant memory however many there are. */
  read(query: ReadingQuery): AsyncIterable<Reading[]>;
  /** How many readings there are, counted no further than `upTo`. */
  count(upTo: number): Promise<number>;
  /** Changes with every change of what can be read; missing where that can't be told without reading. */
  version?(): Promise<string>;
  /**
   * Tells of every reading this process stores, after it is durable; returns the way to stop. Silent where
   * pages hear of inserts from the store itself.
   */
  onInsert(listener: (reading: Reading) => void): () => void;
  close(): Promise<void>;
}

/** The store that the environment asks for, opened once a process. Throws `BootError` if it can't be. */
export function getStore(): ReadingStore {
  return singleton('store', () => {
    const { supabase, DATABASE_PATH } = getEnv();
    return supabase ? openSupabaseStore(supabase) : openSqliteStore(DATABASE_PATH);
  });
}
