import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../../config/env.server';
import { HISTORY_LIMIT } from '../../readings/range';
import { compareReadings, type Reading, type ReadingInput } from '../../readings/reading';
import type { ReadingStore } from '../reading-store';
import { readPages } from './read-pages.server';
import { sameFiles } from './same-files.server';
import { isLocked } from './sqlite-errors.server.js';
import { openSqliteFile } from './sqlite-file.server.js';
import { sqliteHealth } from './sqlite-health.server';
import { sqliteQueries } from './sqlite-queries.server';

/** How long a query is retried while another process has the database locked. */
const LOCK_TIMEOUT_MS = 4500;
const LOCK_RETRY_MS = 25;
/** How often the size of the write-ahead log is looked at. */
const SHRINK_LOG_MS = 15_000;

interface PendingInsert {
  reading: ReadingInput;
  /** When retries end, in milliseconds since 1970. */
  deadline: number;
  resolve(stored: Reading): void;
  reject(reason: unknown): void;
}

/**
 * Opens the SQLite file at `path`, relative to the working directory, and creates it if missing.
 *
 * Inserts of the same turn of the event loop share one transaction: one `fsync` makes all of them durable, which
 * is what makes many small posts fast, and it lets SQLite checkpoint its log.
 *
 * @throws StartupError if the file can't be used, or another server uses it
 */
export function openSqliteStore(path: string): ReadingStore {
  const file = resolve(path);
  const { database, files, isOverwritten, shrinkLog, close } = openFile(file);
  const queries = sqliteQueries(database);
  const assertSameFiles = sameFiles(files, isOverwritten);
  const health = sqliteHealth(file, database, assertSameFiles);
  const shrinking = setInterval(shrinkLog, SHRINK_LOG_MS).unref();
  const listeners = new Set<(reading: Reading) => void>();
  let pending: PendingInsert[] = [];
  let commits = 0;
  /** The last count, and the data version that it was taken at. */
  let counted = { rows: 0, dataVersion: -1 };

  /** Stores the pending inserts in one transaction; while another process holds the lock, they stay pending. */
  function commitPending(): void {
    const batch = pending;
    pending = [];
    let stored: Reading[];
    try {
      assertSameFiles();
      stored = queries.insertAll(batch.map(({ reading }) => reading));
      assertSameFiles(true);
    } catch (error) {
      retryOrReject(batch, error);
      return;
    }
    commits += 1;
    health.noteWrite();
    stored.forEach((reading, i) => {
      batch[i]?.resolve(reading);
    });
    for (const reading of stored) for (const listener of listeners) listener(reading);
  }

  function retryOrReject(batch: readonly PendingInsert[], error: unknown): void {
    const now = Date.now();
    const retried = isLocked(error) ? batch.filter(({ deadline }) => now < deadline) : [];
    const rejection = health.failure(error);
    for (const insert of batch) if (!retried.includes(insert)) insert.reject(rejection);
    if (retried.length < batch.length) health.noteWrite(rejection);
    if (retried.length === 0) return;
    // Later inserts join them: `insert` schedules a commit only when nothing is pending.
    pending = retried;
    setTimeout(commitPending, LOCK_RETRY_MS);
  }

  /** Runs a query, and retries it while another process holds the lock. */
  async function retryWhileLocked<T>(query: () => T): Promise<T> {
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        return query();
      } catch (error) {
        if (!isLocked(error) || Date.now() > deadline) throw health.failure(error);
        await sleep(LOCK_RETRY_MS);
      }
    }
  }

  async function newest(limit: number, after?: number): Promise<Reading[]> {
    const readings = await retryWhileLocked(() => queries.newest(limit, after));
    return readings.sort(compareReadings);
  }

  /** Every page needs the count. The server deletes nothing, so a count that reached `upTo` stays valid. */
  function count(upTo: number): number {
    const dataVersion = queries.dataVersion();
    if (dataVersion !== counted.dataVersion || counted.rows < upTo) {
      counted = { rows: queries.count(upTo), dataVersion };
    }
    return Math.min(counted.rows, upTo);
  }

  return {
    kind: 'sqlite',
    description: `SQLite file ${file}`,
    newest,
    insert: (reading) =>
      new Promise<Reading>((resolve, reject) => {
        if (pending.length === 0) setImmediate(commitPending);
        pending.push({ reading, deadline: Date.now() + LOCK_TIMEOUT_MS, resolve, reject });
      }),
    async *read(query) {
      if (query.limit !== undefined && query.limit <= HISTORY_LIMIT) {
        yield await newest(query.limit, query.after);
        return;
      }
      yield* readPages(queries, query, retryWhileLocked);
    },
    count: (upTo) => retryWhileLocked(() => count(upTo)),
    version: async () => `${commits} ${await retryWhileLocked(queries.dataVersion)}`,
    inserts: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    checkHealth: async () => health.assertHealthy(),
    async close() {
      health.stop();
      clearInterval(shrinking);
      while (pending.length > 0) await sleep(LOCK_RETRY_MS);
      close();
    },
  };
}

function openFile(file: string) {
  try {
    return openSqliteFile(file);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}
