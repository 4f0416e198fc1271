import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, StartupError } from '../../config/env.server';
import { HISTORY_LIMIT } from '../../readings/chart/range';
import type { Thresholds } from '../../readings/level/threshold';
import { compareReadings, type Reading, type ReadingInput } from '../../readings/reading';
import { parseReadingTime } from '../../readings/time/reading-time';
import {
  type InsertResult,
  type ReadingQuery,
  ReadingRejectedError,
  type ReadingStore,
} from '../reading-store';
import { derivedWrites } from './derived-writes.server';
import { durableWrites } from './durable-writes.server';
import { insertQueue, LOCK_RETRY_MS, LOCK_TIMEOUT_MS } from './insert-queue.server';
import { readPages } from './read-pages.server';
import { sameFiles } from './same-files.server';
import { sqliteAlerts } from './sqlite-alerts.server';
import { sqliteDenseSlots } from './sqlite-dense-slots.server';
import { isLocked } from './sqlite-errors.server.js';
import { openSqliteFile } from './sqlite-file.server.js';
import { sqliteHealth } from './sqlite-health.server';
import { sqliteHeardSensors } from './sqlite-heard-sensors.server';
import { sqliteInserts } from './sqlite-inserts.server';
import { sqliteLevelLimits } from './sqlite-level-limits.server';
import { type Selection, sqliteQueries } from './sqlite-queries.server';
import { startRollUpJob } from './sqlite-roll-up-job.server';
import { sqliteRollUps } from './sqlite-roll-ups.server';
import { sqliteSensors } from './sqlite-sensors.server';
import { sqliteSlotInserts } from './sqlite-slot-inserts.server';
import { sqliteSlots } from './sqlite-slots.server';
import { sqliteStaleDays } from './sqlite-stale-days.server';

/** How often the size of the write-ahead log is looked at. */
const SHRINK_LOG_MS = 15_000;

/**
 * Opens the SQLite file at `path`, relative to the working directory, and creates it if missing.
 *
 * @param thresholds the limits that roll-ups are kept for; a query with others takes longer
 * @throws StartupError if the file can't be used, or another server uses it
 */
export function openSqliteStore(
  path: string,
  thresholds: Thresholds = parseEnv({}).thresholds,
): ReadingStore {
  const file = resolve(path);
  const { database, files, isOverwritten, isLogLong, shrinkLog, close } = openFile(file);
  const sensors = sqliteSensors(database);
  const queries = sqliteQueries(database, sensors);
  const denseSlots = sqliteDenseSlots(database);
  const slots = sqliteSlots(database, denseSlots);
  const staleDays = sqliteStaleDays(database, slots);
  const inserts = sqliteInserts(database, sensors, sqliteSlotInserts(database, staleDays, denseSlots));
  const heard = sqliteHeardSensors(queries, sensors, retryWhileLocked);
  const assertSameFiles = sameFiles(files, isOverwritten);
  const write = derivedWrites(database, assertSameFiles);
  const levelLimits = sqliteLevelLimits(database, thresholds, write);
  const rollUps = sqliteRollUps({ database, slots, staleDays, levelLimits, run: retryWhileLocked, write });
  const health = sqliteHealth(file, database, assertSameFiles);
  const job = startRollUpJob({ staleDays, levelLimits, write, isLogLong, onFailure: health.failure, file });
  const durably = durableWrites(database, assertSameFiles);
  const alerts = sqliteAlerts(database, { run: retryWhileLocked, write: durably, writeSoon: write });
  const shrinking = setInterval(shrinkLog, SHRINK_LOG_MS).unref();
  const listeners = new Set<(reading: Reading) => void>();
  const queue = insertQueue(insertAll, (error) => {
    const failure = health.failure(error);
    health.noteWrite(failure);
    return failure;
  });
  let commits = 0;
  /** The last counts by the sensor's key, and the data version that they were taken at. */
  let counted = { rows: new Map<number | undefined, number>(), dataVersion: -1 };

  function insertAll(readings: readonly ReadingInput[]) {
    assertSameFiles();
    const results = inserts.insertAll(readings);
    assertSameFiles(true);
    const stored = results.flatMap((result) =>
      'outcome' in result && result.outcome === 'stored' ? [result.reading] : [],
    );
    if (stored.length > 0) {
      commits += 1;
      heard.hear(stored);
      health.noteWrite();
      job.noteInserts();
    }
    // A listener's error is no failure of the insert.
    queueMicrotask(() => {
      for (const reading of stored) for (const listener of listeners) listener(reading);
    });
    return results;
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

  /** Returns what a query selects; null if there is no such sensor, and so nothing to select. */
  function resolveQuery({ sensor, after, from, to }: ReadingQuery): Selection | null {
    sensors.refresh();
    const key = sensor === undefined ? undefined : sensors.idOf(sensor);
    return key === null ? null : { sensor: key, after, from: toTime(from), to: toTime(to) };
  }

  async function newest(limit: number, query: ReadingQuery = {}): Promise<Reading[]> {
    const readings = await retryWhileLocked(() => {
      const selection = resolveQuery(query);
      return selection ? queries.newest(limit, selection) : [];
    });
    return readings.sort(compareReadings);
  }

  /** Every page needs the count. The server deletes nothing, so a count that reached `upTo` stays valid. */
  function count(upTo: number, sensor?: string): number {
    const selection = resolveQuery({ sensor });
    if (!selection) return 0;
    const dataVersion = queries.dataVersion();
    if (dataVersion !== counted.dataVersion) counted = { rows: new Map(), dataVersion };
    let rows = counted.rows.get(selection.sensor) ?? 0;
    if (rows < upTo) {
      rows = queries.count(upTo, selection);
      counted.rows.set(selection.sensor, rows);
    }
    return Math.min(rows, upTo);
  }

  return {
    kind: 'sqlite',
    blocksOnInsert: true,
    description: `SQLite file ${file}`,
    newest,
    async insert(reading) {
      const [result] = await queue.add([reading]);
      if (result instanceof ReadingRejectedError) throw result;
      return result as InsertResult;
    },
    insertAll: async (readings) => (readings.length === 0 ? [] : queue.add(readings)),
    async *read(query) {
      const { limit, after, from, to } = query;
      const isSpanById = after !== undefined && (from !== undefined || to !== undefined);
      if (limit !== undefined && limit <= HISTORY_LIMIT && !isSpanById) {
        const found = await newest(limit, query);
        yield after === undefined ? found : found.sort((a, b) => a.id - b.id);
        return;
      }
      const selection = await retryWhileLocked(() => resolveQuery(query));
      if (selection) yield* readPages(queries, selection, limit, retryWhileLocked);
    },
    async *rollUps(query) {
      const selection = await retryWhileLocked(() => resolveQuery({ sensor: query.sensor }));
      if (selection?.sensor !== undefined) yield* rollUps({ ...query, sensor: selection.sensor });
    },
    count: (upTo, sensor) => retryWhileLocked(() => count(upTo, sensor)),
    sensors: heard.all,
    lastHeard: heard.last,
    version: async () => `${commits} ${await retryWhileLocked(queries.dataVersion)}`,
    alerts,
    inserts: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    checkHealth: async () => health.assertHealthy(),
    async close() {
      health.stop();
      job.stop();
      clearInterval(shrinking);
      while (!queue.isEmpty()) await sleep(LOCK_RETRY_MS);
      close();
    },
  };
}

function toTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseReadingTime(text);
  if (time === null) throw new RangeError(`"${text}" is not an ISO 8601 time with Z or an offset.`);
  return time;
}

function openFile(file: string) {
  try {
    return openSqliteFile(file);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}
