import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'libsql';
import { HISTORY_LIMIT } from '../../../readings/chart/range';
import type { MetricField } from '../../../readings/metric';
import { compareReadings, type Reading } from '../../../readings/reading';
import type { ReadingQuery } from '../../reading-store';
import { isLocked, LOCK_RETRY_MS, LOCK_TIMEOUT_MS } from '../file/sqlite-errors.server.js';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import { hasValues } from '../schema/sqlite-roll-up-schema.server.js';
import { toMicros } from '../schema/sqlite-times.server';
import { newestReadings, readPages, type Selection, sqliteQueries } from './sqlite-queries.server';
import { type ReadRows, sqliteReader } from './sqlite-reader.server';
import type { sqliteSensors } from './sqlite-sensors.server';

/**
 * A page needs at most this many readings before its first paint. They are read on a separate connection, so that they
 * don't wait for longer reads.
 */
const FEW = 100;

/**
 * The store's reads, which don't block the event loop. The store's other parts read through `readRows` and `run`.
 *
 * @param toFailure converts an SQLite error to the store's error
 */
export function sqliteReads(
  file: string,
  database: Database.Database,
  {
    sensors,
    metrics,
    toFailure,
  }: {
    sensors: ReturnType<typeof sqliteSensors>;
    metrics: SqliteMetrics;
    toFailure: (error: unknown) => Error;
  },
) {
  const [fewReader, reader] = [sqliteReader(file), sqliteReader(file)];
  const readFew: ReadRows = (sql, ...bound) => run(() => fewReader.all(sql, ...bound));
  const readRows: ReadRows = (sql, ...bound) => run(() => reader.all(sql, ...bound));
  const fewQueries = sqliteQueries(readFew, metrics, sensors);
  const queries = sqliteQueries(readRows, metrics, sensors);
  const selectVersion = database.prepare('pragma data_version').pluck();
  /** The last counts by sensor key, and the data version that they belong to. */
  let counted = { rows: new Map<number | undefined, number>(), dataVersion: -1 };

  /** Runs a query, and repeats it while another process holds the lock. Throws only errors of the store. */
  async function run<T>(query: () => T | Promise<T>): Promise<T> {
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        return await query();
      } catch (error) {
        if (!isLocked(error) || Date.now() > deadline) throw toFailure(error);
        await sleep(LOCK_RETRY_MS);
      }
    }
  }

  /** Returns a number that changes when another program, such as the sqlite3 shell, changes the file. */
  const dataVersion = (): number => (selectVersion.all() as number[])[0] ?? 0;

  /** Returns a sensor's key; null if there is no sensor with that name. */
  async function keyOf(sensor: string): Promise<number | null> {
    sensors.refresh();
    const known = sensors.knownId(sensor);
    if (known !== undefined) return known;
    const before = sensors.forgotten();
    const [[key = null] = []] = await readFew<[id: number]>('select id from sensors where name = ?', sensor);
    if (key !== null && sensors.forgotten() === before) sensors.keep(sensor, key);
    return key;
  }

  /** Returns the selection of a query, or null if its sensor doesn't exist. */
  async function resolveQuery({ sensor, after, from, to }: ReadingQuery): Promise<Selection | null> {
    sensors.refresh();
    const key = sensor === undefined ? undefined : await keyOf(sensor);
    if (key === null) return null;
    return {
      sensor: key,
      only: sensors.only(),
      after,
      from: from === undefined ? undefined : toMicros(from),
      to: to === undefined ? undefined : toMicros(to),
    };
  }

  async function newest(limit: number, query: ReadingQuery = {}): Promise<Reading[]> {
    const selection = await run(() => resolveQuery(query));
    if (!selection) return [];
    const found = await newestReadings(limit <= FEW ? fewQueries : queries, selection, limit);
    return found.sort(compareReadings);
  }

  async function* read(query: ReadingQuery): AsyncGenerator<Reading[]> {
    const { limit, after } = query;
    if (limit !== undefined && limit <= HISTORY_LIMIT && after === undefined) {
      yield newest(limit, query);
      return;
    }
    const selection = await run(() => resolveQuery(query));
    if (selection) yield* readPages(queries, selection, limit);
  }

  /**
   * Caches the counts, because every page needs one. Until readings are removed, a count that reached `upTo` stays valid.
   */
  async function count(upTo: number, sensor?: string): Promise<number> {
    const selection = await resolveQuery({ sensor });
    if (!selection) return 0;
    const version = dataVersion();
    if (version !== counted.dataVersion) counted = { rows: new Map(), dataVersion: version };
    const known = counted;
    let rows = known.rows.get(selection.sensor) ?? 0;
    if (rows < upTo) {
      rows = await fewQueries.count(upTo, selection);
      known.rows.set(selection.sensor, rows);
    }
    return Math.min(rows, upTo);
  }

  /** Returns the file's metrics, or the metrics with values in a sensor's slots. */
  async function measured(sensor?: string): Promise<readonly MetricField[]> {
    const fields = metrics.fields();
    if (sensor === undefined) return fields;
    const key = await keyOf(sensor);
    if (key === null) return [];
    const [[isUnbuilt = 1, ...values] = []] = await readRows<number[]>(
      `select exists (select 1 from stale_days where sensor = :key and slots_from is not null),
        ${fields.map(hasValues)} from slots where sensor = :key`,
      { key },
    );
    // Another program may have added readings that aren't in the slots yet.
    return fields.filter((_, i) => isUnbuilt || values[i]);
  }

  return {
    run,
    readRows,
    dataVersion,
    keyOf,
    newest,
    read,
    measured: (sensor?: string) => run(() => measured(sensor)),
    count: (upTo: number, sensor?: string) => run(() => count(upTo, sensor)),
    /** Forgets the cached counts, after readings got another sensor or were deleted. */
    forgetCounts(): void {
      counted.rows.clear();
    },
    /** Closes the connections after the pending queries. */
    async close(): Promise<void> {
      await Promise.all([fewReader.close(), reader.close()]);
    },
  };
}
