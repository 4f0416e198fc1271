import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_RETRY_SECONDS, clockFault } from '../../config/clock.server';
import { parseEnv, StartupError } from '../../config/env.server';
import type { Thresholds } from '../../readings/metric';
import type { Reading, ReadingInput } from '../../readings/reading';
import {
  type InsertResult,
  ReadingRejectedError,
  type ReadingStore,
  StoreUnavailableError,
} from '../reading-store';
import { sqliteAlerts } from './alerts/sqlite-alerts.server';
import { sameFiles, sqliteWrites } from './file/durable-writes.server';
import { LOCK_RETRY_MS } from './file/sqlite-errors.server.js';
import { openSqliteFile } from './file/sqlite-file.server.js';
import { sqliteHealth } from './file/sqlite-health.server';
import { sqliteMetrics } from './file/sqlite-metrics.server';
import { insertQueue } from './inserts/insert-queue.server';
import { sqliteInserts, sqliteSlotInserts } from './inserts/sqlite-inserts.server';
import { sqliteReads } from './reads/sqlite-reads.server';
import {
  sensorNames,
  sqliteHeardSensors,
  sqliteSensors,
  sqliteSummaries,
} from './reads/sqlite-sensors.server';
import { sqliteDirtyDays, sqliteLevelLimits } from './roll-ups/sqlite-dirty-days.server';
import { sqliteRawFrom, sqliteRawRemoval } from './roll-ups/sqlite-raw-removal.server';
import { startRollUpJob } from './roll-ups/sqlite-roll-up-job.server';
import { sqliteRollUps } from './roll-ups/sqlite-roll-ups.server';
import { sqliteRooms } from './roll-ups/sqlite-rooms.server';
import { sqliteSlots } from './roll-ups/sqlite-slots.server';
import { sqliteCorrections } from './sqlite-corrections.server';
import { sqliteDeletions } from './sqlite-deletions.server';
import { sqliteNotes } from './sqlite-notes.server';
import { sqliteRoom } from './sqlite-room.server';
import { sqliteOwnSettings, sqliteSettings } from './sqlite-settings.server';

/** The interval at which the size of the write-ahead log is checked. */
const SHRINK_LOG_MS = 15_000;

/**
 * Opens the SQLite file at `path`, relative to the working directory, and creates it if missing.
 *
 * @param thresholds the thresholds that roll-ups are computed for; a query with other thresholds takes longer
 * @throws StartupError if the file can't be used, or another server uses it
 */
export function openSqliteStore(
  path: string,
  thresholds: Thresholds = parseEnv({}).thresholds,
): ReadingStore {
  const file = resolve(path);
  const { database, files, isOverwritten, isLogLong, shrinkLog, close } = openFile(file);
  const sensors = sqliteSensors(database);
  const metrics = sqliteMetrics(database);
  const slots = sqliteSlots(database, metrics);
  const rawFrom = sqliteRawFrom(database);
  const dirtyDays = sqliteDirtyDays(database, metrics, slots, rawFrom);
  const slotInserts = sqliteSlotInserts(database, metrics, dirtyDays);
  const own = sqliteOwnSettings(database, thresholds);
  const inserts = sqliteInserts(database, metrics, sensors, slotInserts, own.correctorOf, rawFrom);
  const corrections = sqliteCorrections(database, metrics, own.correctorOf);
  const assertSameFiles = sameFiles(files, isOverwritten);
  const { write, writeSoon } = sqliteWrites(database, assertSameFiles);
  const levelLimits = sqliteLevelLimits(database, thresholds, own.thresholdsOf, writeSoon);
  const health = sqliteHealth(file, database, assertSameFiles);
  const reads = sqliteReads(file, database, { sensors, metrics, toFailure: health.failure });
  const { run, readRows } = reads;
  const heard = sqliteHeardSensors(
    sqliteSummaries(database, metrics, readRows),
    sensors,
    reads.dataVersion,
    run,
  );
  const historyParts = { readRows, metrics, dirtyDays, levelLimits, rawFrom, run, write: writeSoon };
  const rollUps = sqliteRollUps(historyParts);
  const rooms = sqliteRooms(historyParts);
  let commits = 0;
  const job = startRollUpJob({
    correct,
    dirtyDays,
    levelLimits,
    write: writeSoon,
    isLogLong,
    onFailure: health.failure,
    file,
  });
  const removeRaw = sqliteRawRemoval(database, { ...historyParts, isLogLong, onRemoved });
  const alerts = sqliteAlerts(database, { run, write, writeSoon });
  const shrinking = setInterval(shrinkLog, SHRINK_LOG_MS).unref();
  const listeners = new Set<(reading: Reading) => void>();
  const queue = insertQueue(insertAll, (error) => {
    const failure = health.failure(error);
    health.noteWrite(failure);
    return failure;
  });

  /** Corrects some stored readings again. Returns false if none is left. */
  function correct(): boolean {
    const span = corrections.next();
    if (!span) return false;
    let isNewest = false;
    writeSoon(() => {
      isNewest = corrections.correct(span);
    });
    commits += 1;
    if (isNewest) heard.forget();
    return true;
  }

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
    // A listener's error must not make the insert fail.
    queueMicrotask(() => {
      for (const reading of stored) for (const listener of listeners) listener(reading);
    });
    return results;
  }

  function onRemoved(): void {
    commits += 1;
    rawFrom.forget();
    reads.forgetCounts();
  }

  /** Forgets what is in memory about sensors, after a change of their names, settings or number of readings. */
  function forgetSensors(): void {
    commits += 1;
    sensors.forget();
    own.forget();
    rawFrom.forget();
    heard.forget();
    reads.forgetCounts();
    job.noteCorrections();
  }

  return {
    kind: 'sqlite',
    blocksOnInsert: true,
    description: `SQLite file ${file}`,
    newest: reads.newest,
    async insert(reading) {
      assertTimes([reading]);
      const [result] = await queue.add([reading]);
      if (result instanceof ReadingRejectedError) throw result;
      return result as InsertResult;
    },
    async insertAll(readings) {
      assertTimes(readings);
      return readings.length === 0 ? [] : queue.add(readings);
    },
    read: reads.read,
    async *rollUps(query) {
      const sensor = await reads.run(() => reads.keyOf(query.sensor));
      if (sensor !== null) yield* rollUps({ ...query, sensor });
    },
    averages: rooms.averages,
    roomTotals: rooms.totals,
    async rawFrom(sensor) {
      const key = await reads.run(() => reads.keyOf(sensor));
      const time = key === null ? null : await reads.run(() => rawFrom.of(key));
      return time === Number.NEGATIVE_INFINITY ? null : time;
    },
    removeRaw,
    measured: reads.measured,
    count: reads.count,
    names: () => sensorNames(readRows),
    sensors: heard.byName,
    lastHeard: heard.last,
    version: async () => `${commits} ${await reads.run(reads.dataVersion)}`,
    alerts,
    room: sqliteRoom(database, { ...reads, writeSoon }),
    notes: sqliteNotes(database, { ...reads, sensors, write }),
    settings: sqliteSettings(database, { ...reads, write, corrections, onChange: forgetSensors }),
    deletions: sqliteDeletions(database, {
      ...{ ...reads, sensors, metrics, write },
      isCorrected: (sensor) => own.correctorOf(sensor) !== undefined,
      correctAgain: (sensor) => corrections.mark(sensor, Number.MIN_SAFE_INTEGER),
      onChange: forgetSensors,
      onEnd: job.hurry,
    }),
    inserts: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async checkHealth() {
      health.assertHealthy();
      assertClockSet();
    },
    async close() {
      const checkStopped = health.stop();
      job.stop();
      clearInterval(shrinking);
      while (!queue.isEmpty()) await sleep(LOCK_RETRY_MS);
      await reads.close();
      await checkStopped;
      close();
    },
  };
}

/** Refuses readings that need the server's time while its clock isn't set. */
function assertTimes(readings: readonly ReadingInput[]): void {
  if (readings.some(({ created_at }) => created_at === undefined)) assertClockSet();
}

function assertClockSet(): void {
  const fault = clockFault();
  if (fault) throw new StoreUnavailableError(fault, CLOCK_RETRY_SECONDS);
}

function openFile(file: string) {
  try {
    return openSqliteFile(file);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}
