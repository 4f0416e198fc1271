import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../../config/env.server';
import { HISTORY_LIMIT } from '../../readings/range';
import { compareReadings, type Reading, type ReadingInput } from '../../readings/reading';
import type { ReadingStore } from '../reading-store';
import { StoreUnavailableError } from '../reading-store';
import { isLocked, openSqliteFile } from './sqlite-file.server.js';
import { PAGE, sqliteQueries } from './sqlite-queries.server';

/** How long a reading waits for a database that another process has locked. */
const LOCK_PATIENCE_MS = 4500;
const LOCK_RETRY_MS = 25;

interface WaitingInsert {
  reading: ReadingInput;
  deadline: number;
  resolve(stored: Reading): void;
  reject(reason: unknown): void;
}

/**
 * Opens (and creates where missing) the SQLite file at `path`, relative to the working directory.
 *
 * Inserts that wait in the same turn of the event loop share one transaction: it is durable once for all
 * of them, which is what makes many small posts fast, and it lets SQLite checkpoint its log.
 *
 * @throws BootError saying what is wrong with the file or its folder, or that another server has it
 */
export function openSqliteStore(path: string): ReadingStore {
  const file = resolve(path);
  const { database, close } = openFile(file);
  const queries = sqliteQueries(database);
  const listeners = new Set<(reading: Reading) => void>();
  let waiting: WaitingInsert[] = [];
  let changes = 0;
  /** So many rows were there, when other programs had changed the file that often. */
  let counted = { rows: 0, foreignChanges: -1 };

  /** Keeps what waits, in one transaction; while another process holds the lock, it waits with them. */
  function flush(): void {
    const batch = waiting;
    waiting = [];
    let stored: Reading[];
    try {
      stored = queries.insertAll(batch.map(({ reading }) => reading));
    } catch (error) {
      const now = Date.now();
      const patient = isLocked(error) ? batch.filter(({ deadline }) => now < deadline) : [];
      for (const insert of batch) if (!patient.includes(insert)) insert.reject(asUnavailable(error));
      if (patient.length > 0) {
        // What arrives while the batch waits joins it, and its own flush finds nothing left to do.
        waiting = [...patient, ...waiting];
        setTimeout(flush, LOCK_RETRY_MS);
      }
      return;
    }
    changes += 1;
    stored.forEach((reading, i) => {
      batch[i]?.resolve(reading);
    });
    for (const reading of stored) for (const listener of listeners) listener(reading);
  }

  /** Runs a query, and again while another process holds the lock. */
  async function reading<T>(query: () => T): Promise<T> {
    const deadline = Date.now() + LOCK_PATIENCE_MS;
    for (;;) {
      try {
        return query();
      } catch (error) {
        if (!isLocked(error) || Date.now() > deadline) throw asUnavailable(error);
        await sleep(LOCK_RETRY_MS);
      }
    }
  }

  async function newest(limit: number, after?: number): Promise<Reading[]> {
    const rows = await reading(() => queries.newest(limit, after));
    return rows.sort(compareReadings);
  }

  /** Every page asks, and nothing is deleted here: a store that once had enough is not counted again. */
  function count(upTo: number): number {
    const foreignChanges = queries.foreignChanges();
    if (foreignChanges !== counted.foreignChanges || counted.rows < upTo) {
      counted = { rows: queries.count(upTo), foreignChanges };
    }
    return Math.min(counted.rows, upTo);
  }

  return {
    kind: 'sqlite',
    description: `SQLite file ${file}`,
    newest,
    insert: (input) =>
      new Promise<Reading>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ reading: input, deadline: Date.now() + LOCK_PATIENCE_MS, resolve, reject });
      }),
    async *read(query) {
      if (query.limit !== undefined && query.limit <= HISTORY_LIMIT) {
        yield await newest(query.limit, query.after);
        return;
      }
      let last = await reading(() => queries.start(query));
      for (;;) {
        const page = await reading(() => queries.page(last, query));
        yield page;
        if (page.length < PAGE) return;
        last = page.at(-1) as Reading;
      }
    },
    count: (upTo) => reading(() => count(upTo)),
    version: async () => `${changes} ${await reading(queries.foreignChanges)}`,
    inserts: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async close() {
      while (waiting.length > 0) await sleep(LOCK_RETRY_MS);
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

function asUnavailable(error: unknown): StoreUnavailableError {
  if (isLocked(error)) return new StoreUnavailableError('The database is locked by another process.');
  const { code, message } = error as { code?: string; message: string };
  if (code === 'SQLITE_FULL')
    return new StoreUnavailableError('The disk is full: nothing can be stored.', 60);
  return new StoreUnavailableError(`The database can't be used: ${message}.`);
}
