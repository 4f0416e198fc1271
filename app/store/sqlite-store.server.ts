import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { BootError } from '../env.server';
import { HISTORY_LIMIT } from '../readings/ranges';
import { compareReadings, type Reading, type ReadingInput } from '../readings/reading';
import { PAGE, sqliteQueries } from './sqlite-queries.server';
import type { ReadingStore } from './store.server';
import { StoreUnavailable } from './store-unavailable.server';

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
  const { database, unlock } = openDatabase(file);
  const queries = sqliteQueries(database);
  const listeners = new Set<(reading: Reading) => void>();
  let waiting: WaitingInsert[] = [];

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
    count: (upTo) => reading(() => queries.count(upTo)),
    onInsert(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      while (waiting.length > 0) await sleep(LOCK_RETRY_MS);
      database.close();
      unlock();
    },
  };
}

function openDatabase(file: string) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const unlock = lockFile(`${file}.lock`);
    const database = new Database(file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec(`
      create table if not exists data (
        id integer primary key autoincrement,
        co2 real not null,
        voc real not null,
        created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
      );
      create index if not exists data_newest on data (created_at desc, id desc);
    `);
    return { database, unlock };
  } catch (error) {
    if (error instanceof BootError) throw error;
    const { message, code = '' } = error as NodeJS.ErrnoException;
    const reason = code === 'SQLITE_NOTADB' ? 'it is not an SQLite database' : message;
    throw new BootError(
      `the readings can't be kept in ${file}: ${reason}. Set DATABASE_PATH to a file in a folder that can be written.`,
    );
  }
}

/**
 * Takes the file for this process until it ends, however it ends: SQLite's own lock on a file beside it,
 * because the database itself stays open to readers such as the sqlite3 shell.
 */
function lockFile(path: string): () => void {
  const lock = new Database(path);
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new BootError(
      `another airboard already keeps its readings there (${path} is locked). Stop it, or set DATABASE_PATH to another file.`,
    );
  }
  return () => lock.close();
}

function isLocked(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: string }).code));
}

function asUnavailable(error: unknown): StoreUnavailable {
  if (isLocked(error)) return new StoreUnavailable('The database is locked by another process.');
  const { code, message } = error as { code?: string; message: string };
  if (code === 'SQLITE_FULL') return new StoreUnavailable('The disk is full: nothing can be stored.', 60);
  return new StoreUnavailable(`The database can't be used: ${message}.`);
}
