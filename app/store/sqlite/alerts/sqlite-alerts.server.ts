import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type Database from 'libsql';
import { formatReadingTime } from '../../../readings/time/stored-time';
import type { AlertStore } from '../../alert-store';
import { sqliteAlertChanges } from './sqlite-alert-changes.server';
import { sqliteAlertDeliveries } from './sqlite-alert-deliveries.server';
import { sqliteAlertPruning } from './sqlite-alert-pruning.server';
import {
  type SensorRow,
  TRANSITION_COLUMNS,
  type TransitionRow,
  toMicros,
  toTransition,
  toWatchedSensor,
} from './sqlite-alert-rows.server';

interface Access {
  /** Runs a query or a transaction, and repeats it while another program has the file locked. */
  run: <T>(work: () => T) => Promise<T>;
  /** Runs writes in a transaction that is durable when it returns. */
  write: (writes: () => void) => void;
  /** Runs writes in a transaction that doesn't wait for the disk. */
  writeSoon: (writes: () => void) => void;
}

/**
 * Keeps the alerts in the file of the readings, on the same connection: each transaction begins and ends within a turn of
 * the event loop, so it never meets one of readings. The file's lock makes this process the only one.
 */
export function sqliteAlerts(database: Database.Database, { run, write, writeSoon }: Access): AlertStore {
  const selectCursor = database.prepare('select cursor from alert_progress').pluck();
  const selectSensors = database
    .prepare('select sensor, air, told, told_at from alert_sensors order by sensor')
    .raw();
  const valid = `select id, ${TRANSITION_COLUMNS} from alert_transitions where sensor = ?1 and not is_withdrawn`;
  const selectSince = database
    .prepare(
      `select ${TRANSITION_COLUMNS} from (
        select * from (${valid} and at < ?2 order by at desc, id desc limit 1)
        union all
        ${valid} and at >= ?2
      ) order by at, id`,
    )
    .raw();
  const selectWatched = database.prepare('select until, patience_ms from alert_watched').raw();
  const clearWatched = database.prepare('delete from alert_watched');
  const insertWatched = database.prepare('insert into alert_watched values (?, ?)');
  const changes = sqliteAlertChanges(database);
  const deliveries = sqliteAlertDeliveries(database);
  const pruning = sqliteAlertPruning(database);
  let isClosed = false;

  return {
    hold: async () => true,
    load: () =>
      run(() => {
        const [cursor = null] = selectCursor.all() as number[];
        return { cursor, sensors: (selectSensors.all() as SensorRow[]).map(toWatchedSensor) };
      }),
    async commit(change) {
      const writeChange = changes(change);
      // A thousand sensors take 20 ms of each. Changes keep their order.
      await setImmediate();
      await run(() => write(writeChange));
    },
    watch: ({ until, patienceMs }) =>
      run(() => {
        const [before] = selectWatched.all() as [until: number, patienceMs: number][];
        writeSoon(() => {
          clearWatched.run();
          insertWatched.run(toMicros(until), patienceMs);
        });
        return before ? { until: formatReadingTime(before[0]), patienceMs: before[1] } : null;
      }),
    transitionsSince: (sensor, from) =>
      run(() => (selectSince.all(sensor, toMicros(from)) as TransitionRow[]).map(toTransition)),
    nextDelivery: (address) => run(() => deliveries.next(address)),
    record: (attempt) => run(() => write(() => deliveries.record(attempt))),
    recent: (limit) => run(() => deliveries.recent(limit)),
    recentMessages: (limit) => run(() => deliveries.recentMessages(limit)),
    async prune(before) {
      const step = pruning(toMicros(before));
      for (let isLeft = true; isLeft && !isClosed; ) {
        const startedAt = performance.now();
        await run(() =>
          writeSoon(() => {
            isLeft = step();
          }),
        );
        // Requests get as much time as pruning does.
        await sleep(performance.now() - startedAt);
      }
    },
    async close() {
      isClosed = true;
    },
  };
}
